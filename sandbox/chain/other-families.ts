import { join } from "node:path";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import type { Kept } from "#sandbox/kept.ts";
import type { Family } from "#sandbox/settings.ts";
import { readOrMakeKey } from "#server/adapters/signer/key-file.ts";
import { solanaKey } from "#server/adapters/signer/solana-key.ts";
import type { Part, Running, Supervisor } from "#server/process/supervisor.ts";
import { say } from "#server/process/terminal.ts";
import { Trouble } from "#server/process/trouble.ts";
import { chainEntry, TEMPO_CHAIN, TEMPO_TOKENS } from "./families.ts";
import { localChain } from "./part.ts";
import { callNode } from "./rpc.ts";
import { startCluster } from "./solana/start.ts";
import { addressOfMint } from "./solana/test-mints.ts";
import { deployTestTokens, fundWallet } from "./tokens.ts";
import { startTronDouble } from "./tron/start.ts";

/** A chain of another family than EVM's, with a funded treasury. `settings`: its entry in CHAINS. */
export type OtherChain = { chain: string; rpcUrl: string; tokens: Readonly<Record<string, string>>; settings: object };

type Place = { supervisor: Supervisor; directory: string; kept: Kept };
/** What begins and ends with a sandbox, and how to reach it. */
type Ports = "solana" | "tron" | "tronEvm" | "tempo";

const UNITS = 1_000_000n;
/** Whole units of each token, and of the coin. */
const TREASURY = { tokens: 1_000_000_000, coins: 1_000_000 };
/** A later start gives nothing to a wallet that has this share of it left. */
const LEFT = 2n;
/** Half as long as on the main cluster for a slot would cost twice as much; a payment is final after about two seconds. */
const SOLANA = { slotMs: 500, finalizedBehind: 3 };
/** As long as a block of Tron takes. On the main network a block is solidified after 19 of them. */
const TRON = { blockMs: 3_000, unsolidified: 1 };
/** Holds all of them there, and the node signs for it. */
const TEMPO_DEVELOPER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/** Starts the local networks of these families, all at once, and funds a treasury wallet on each. One that this machine cannot run is left out. */
export async function startOtherFamilies(families: readonly Family[], place: Place): Promise<OtherChain[]> {
  const starts = { solana: startSolana, tron: startTron, tempo: startTempo };
  const started = await Promise.all(
    families.map((family) =>
      starts[family](place).catch((error: unknown) => {
        if (!(error instanceof Trouble)) throw error;
        say(`There is no ${family} in this sandbox: ${error.message}`);
        return null;
      }),
    ),
  );
  return started.filter((chain) => chain !== null);
}

async function portFor(kept: Kept, name: Ports): Promise<number> {
  const port = await findFreePort(kept.ports[name]);
  kept.ports[name] = port;
  return port;
}

/** A network in a Node process of its own, as a part. `trouble`: why it could not start, which is then the start's. */
async function runPart(
  supervisor: Supervisor,
  name: string,
  start: () => Promise<{ exited: Promise<void>; stop(): Promise<void> }>,
): Promise<void> {
  let first: Awaited<ReturnType<typeof start>> | null = await start();
  const part: Part = {
    name,
    async start(): Promise<Running> {
      const { exited, stop } = first ?? (await start());
      first = null;
      return { exited: exited.then(() => "exit"), stop };
    },
  };
  await supervisor.run(part);
}

async function startSolana({ supervisor, directory, kept }: Place): Promise<OtherChain> {
  const options = { ports: [await portFor(kept, "solana")], ...SOLANA, stateFile: join(directory, "solana.state") };
  let chain = "";
  await runPart(supervisor, "The local Solana cluster", async () => {
    const cluster = await startCluster(options);
    chain = cluster.chain;
    return cluster;
  });
  const rpcUrl = `http://127.0.0.1:${options.ports[0]}`;
  const keyFile = join(directory, "solana-treasury.key");
  const owner = await solanaKey(() => readOrMakeKey(keyFile)).address();
  const coins = BigInt(TREASURY.coins) * 1_000_000_000n;
  const Balance = z.object({ value: z.coerce.bigint() });
  const { value } = Balance.parse(await callNode(rpcUrl, "getBalance", [owner]).catch(() => ({ value: 0 })));
  if (value < coins / LEFT) {
    const tokens = String(BigInt(TREASURY.tokens) * UNITS);
    await callNode(rpcUrl, "sandbox_fund", [{ owner, lamports: String(coins), tokens: { USDC: tokens, USDT: tokens } }]);
  }
  const tokens = { USDT: await addressOfMint("USDT"), USDC: await addressOfMint("USDC") };
  const settings = chainEntry("solana", { chain, rpcUrls: [rpcUrl], tokens, keyFiles: [keyFile] });
  return { chain, rpcUrl, tokens, settings };
}

async function startTron({ supervisor, directory, kept }: Place): Promise<OtherChain> {
  // Its token contracts run in an EVM that nothing else uses.
  const evm = localChain(directory, await portFor(kept, "tronEvm"), { name: "The EVM of the local Tron", files: "tron-evm", node: {} });
  await supervisor.run(evm.part);
  const deployed = await deployTestTokens(evm.rpcUrl);
  const options = { evmUrl: evm.rpcUrl, ports: [await portFor(kept, "tron")], ...TRON, stateFile: join(directory, "tron.state") };
  await runPart(supervisor, "The double of a Tron network", () => startTronDouble(options));
  const rpcUrl = `http://127.0.0.1:${options.ports[0]}`;
  const keyFile = join(directory, "tron-treasury.key");
  const { address } = privateKeyToAccount((await readOrMakeKey(keyFile)) as Hex);
  await fundWallet(evm.rpcUrl, deployed, address, { ether: 1, tokens: TREASURY.tokens }, 0.5);
  const Account = z.object({ balance: z.coerce.bigint().default(0n) });
  const ask = async (path: string, body: object) =>
    (await fetch(`${rpcUrl}${path}`, { method: "POST", body: JSON.stringify(body) })).json() as Promise<unknown>;
  const { balance } = Account.parse(await ask("/wallet/getaccount", { address: tronOfHex(address) }));
  const sun = BigInt(TREASURY.coins) * UNITS;
  if (balance < sun / LEFT) await ask("/double", { fund: { address: tronOfHex(address), sun: Number(sun) } });
  const tokens = { USDT: tronOfHex(deployed.USDT), USDC: tronOfHex(deployed.USDC) };
  const settings = chainEntry("tron", { chain: TRON_DOUBLE, rpcUrls: [rpcUrl], tokens, keyFiles: [keyFile] });
  return { chain: TRON_DOUBLE, rpcUrl, tokens, settings };
}

async function startTempo({ supervisor, directory, kept }: Place): Promise<OtherChain> {
  const node = {
    network: { name: "tempo", hardfork: "T3" },
    chainId: Number(TEMPO_CHAIN.slice("eip155:".length)),
    blockTimeSeconds: 1,
  } as const;
  const local = localChain(directory, await portFor(kept, "tempo"), { name: "The local Tempo", files: "tempo", node });
  await supervisor.run(local.part);
  const { rpcUrl } = local;
  const keyFile = join(directory, "tempo-treasury.key");
  const { address } = privateKeyToAccount((await readOrMakeKey(keyFile)) as Hex);
  const word = (value: bigint | string) =>
    (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");
  const whole = BigInt(TREASURY.tokens) * UNITS;
  for (const token of Object.values(TEMPO_TOKENS)) {
    const held = BigInt(String(await callNode(rpcUrl, "eth_call", [{ to: token, data: `0x70a08231${word(address)}` }, "latest"])));
    if (held >= whole / LEFT) continue;
    const data = `0xa9059cbb${word(address)}${word(whole)}`;
    await callNode(rpcUrl, "eth_sendTransaction", [{ from: TEMPO_DEVELOPER, to: token, data, gas: "0xf4240" }]);
  }
  const { PATHUSD, ...tokens } = TEMPO_TOKENS;
  const settings = chainEntry("tempo", { chain: TEMPO_CHAIN, rpcUrls: [rpcUrl], tokens: TEMPO_TOKENS, keyFiles: [keyFile] });
  return { chain: TEMPO_CHAIN, rpcUrl, tokens, settings };
}
