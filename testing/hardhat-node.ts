import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

/**
 * A development chain on Hardhat's engine (EDR), as a program: `--port` and `--chain-id`. It answers on loopback like anvil: the methods that
 * tests call by anvil's names go to Hardhat's, and a reorg is made from the engine's snapshots. Everything else is the engine's own behavior.
 */

const GWEI = 1_000_000_000n;
const BLOCK_GAS = 30_000_000n;
/** Blocks: two epochs. */
const FINAL_AFTER = 64;
const ETHER = 10n ** 18n;
/** Funded as on anvil: they own the test tokens, and they are the faucet. */
const FUNDED = ["f39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "70997970C51812dc3A010C7d01b50e0d17dc79C8"];
/** The CREATE2 deployer that anvil brings with it. */
const DEPLOYER = "4e59b44847b379578588920cA78FbF26c0B4956C";
const DEPLOYER_CODE =
  "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

type Request = { jsonrpc: "2.0"; id: unknown; method: string; params?: unknown[] };
type Failure = { code: number; message: string; data?: unknown };
type Answer = { result: unknown; error?: undefined } | { error: Failure };

/** What is used of `@nomicfoundation/edr`, which npm leaves out where it runs on a Node older than 22. */
type Provider = { handleRequest(request: string): Promise<{ data: unknown }> };
type Context = {
  registerProviderFactory(chainType: string, factory: unknown): Promise<void>;
  createProvider(chainType: string, ...settings: readonly object[]): Promise<Provider>;
};
type Edr = {
  EdrContext: new () => Context;
  ContractDecoder: new () => object;
  L1_CHAIN_TYPE: string;
  MineOrdering: { Priority: number };
  l1ProviderFactory(): unknown;
  l1HardforkLatest(): number;
  l1HardforkToString(hardfork: number): string;
  l1GenesisState(hardfork: number): readonly object[];
};

/** Where the engine has another name. */
const NAMES: Readonly<Record<string, string>> = {
  anvil_setCode: "hardhat_setCode",
  anvil_setBalance: "hardhat_setBalance",
  anvil_setStorageAt: "hardhat_setStorageAt",
  anvil_setNextBlockBaseFeePerGas: "hardhat_setNextBlockBaseFeePerGas",
  anvil_impersonateAccount: "hardhat_impersonateAccount",
  anvil_stopImpersonatingAccount: "hardhat_stopImpersonatingAccount",
};

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

async function startEngine(chainId: bigint): Promise<Provider> {
  const edr = createRequire(import.meta.url)("@nomicfoundation/edr") as Edr;
  const context = new edr.EdrContext();
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory());
  const hardfork = edr.l1HardforkLatest();
  return await context.createProvider(
    edr.L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: false,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId,
      networkId: chainId,
      coinbase: new Uint8Array(20),
      defaultTransactionGasLimit: 16_777_216n,
      genesisState: [
        ...edr.l1GenesisState(hardfork),
        ...FUNDED.map((address) => ({ address: bytes(address), balance: 10_000n * ETHER })),
        { address: bytes(DEPLOYER), code: bytes(DEPLOYER_CODE) },
      ],
      hardfork: edr.l1HardforkToString(hardfork),
      initialBaseFeePerGas: GWEI,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: BLOCK_GAS, memPool: { order: edr.MineOrdering.Priority } },
      network: { genesisBlockGasLimit: BLOCK_GAS, genesisBlockTime: BigInt(Math.floor(Date.now() / 1_000)) },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new edr.ContractDecoder(),
  );
}

/** The engine behind anvil's methods. One request at a time, as they come in. */
class Chain {
  readonly #provider: Provider;
  /** What the engine kept right after each block, by height: a reorg goes back to one of them. */
  #kept = new Map<number, string>();
  #height = -1;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  answer(request: Request): Promise<Answer> {
    const answered = this.#last.then(() => this.#answer(request));
    this.#last = answered.catch(() => {});
    return answered;
  }

  async #answer({ method, params = [] }: Request): Promise<Answer> {
    try {
      return { result: await this.#ask(method, params) };
    } catch (error) {
      if (error instanceof Refused) return { error: error.failure };
      throw error;
    } finally {
      await this.#keep();
    }
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === "evm_setIntervalMining") return this.#mineEach(Number(params[0]));
    if (method === "anvil_mine" || method === "evm_mine") return await this.#mine(method === "evm_mine" ? 1 : Number(params[0] ?? 1));
    if (method === "anvil_dropAllTransactions") return await this.#dropPending();
    if (method === "anvil_reorg") return await this.#reorganize(Number(params[0]), (params[1] ?? []) as [string, number][]);
    if (method === "anvil_dropTransaction") return (await this.#call("hardhat_dropTransaction", params)) ? params[0] : null;
    if (method === "eth_getBlockByNumber" && params[0] === "finalized") return await this.#call(method, [await this.#final(), params[1]]);
    if (method === "evm_revert") this.#forget(BigInt(String(params[0])));
    return await this.#call(NAMES[method] ?? method, params);
  }

  /** @throws Refused */
  async #call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const { data } = await this.#provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const answer = (typeof data === "string" ? JSON.parse(data) : data) as { result?: unknown; error?: Failure };
    if (answer.error !== undefined) throw new Refused(revertedAsAnvil(answer.error));
    return answer.result;
  }

  #mineEach(seconds: number): null {
    clearInterval(this.#timer);
    this.#timer =
      seconds > 0 ? setInterval(() => void this.answer({ jsonrpc: "2.0", id: 0, method: "evm_mine" }), seconds * 1_000) : undefined;
    return null;
  }

  async #mine(blocks: number): Promise<null> {
    for (let block = 0; block < blocks; block += 1) {
      await this.#call("evm_mine");
      await this.#keep();
    }
    return null;
  }

  /** As on anvil; to the engine, its newest block is final. */
  async #final(): Promise<string> {
    return `0x${Math.max(0, Number(await this.#call("eth_blockNumber")) - FINAL_AFTER).toString(16)}`;
  }

  async #keep(): Promise<void> {
    const height = Number(await this.#call("eth_blockNumber"));
    if (height === this.#height) return;
    this.#height = height;
    this.#kept.set(height, String(await this.#call("evm_snapshot")));
  }

  /** What the engine kept from this snapshot on is gone with it. */
  #forget(snapshot: bigint): void {
    this.#kept = new Map([...this.#kept].filter(([, kept]) => BigInt(kept) < snapshot));
    this.#height = -1;
  }

  async #dropPending(): Promise<null> {
    const pending = (await this.#call("eth_pendingTransactions")) as { hash: string }[];
    for (const { hash } of pending) await this.#call("hardhat_dropTransaction", [hash]);
    return null;
  }

  /**
   * As many blocks in place of the last ones. As on anvil, what was in them is gone, also from the pool; a raw transaction goes into the block
   * that is named with it, 0 is the first.
   */
  async #reorganize(depth: number, added: readonly [string, number][]): Promise<null> {
    const base = Number(await this.#call("eth_blockNumber")) - depth;
    const snapshot = this.#kept.get(base);
    if (snapshot === undefined) throw new Refused({ code: -32_602, message: `block ${base} was not kept` });
    const automatic = await this.#call("hardhat_getAutomine");
    this.#forget(BigInt(snapshot));
    await this.#call("evm_revert", [snapshot]);
    await this.#keep();
    await this.#call("evm_setAutomine", [false]);
    await this.#dropPending();
    for (let block = 0; block < depth; block += 1) {
      for (const [raw] of added.filter(([, at]) => at === block)) await this.#call("eth_sendRawTransaction", [raw]);
      const random = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      await this.#call("hardhat_setPrevRandao", [`0x${random}`]);
      await this.#mine(1);
    }
    await this.#call("evm_setAutomine", [automatic]);
    return null;
  }
}

class Refused extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Hardhat wraps what a call reverted with in an object; other nodes give the bytes. */
function revertedAsAnvil({ code, message, data }: Failure): Failure {
  const reverted = typeof data === "object" && data !== null && "data" in data ? data.data : data;
  return typeof reverted === "string" && reverted.startsWith("0x") ? { code: 3, message, data: reverted } : { code, message };
}

async function bodyOf(request: IncomingMessage): Promise<Request | Request[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Request | Request[];
}

const { values } = parseArgs({ options: { port: { type: "string" }, "chain-id": { type: "string" } } });
const chain = new Chain(await startEngine(BigInt(values["chain-id"] ?? "31337")));
for (const address of FUNDED) await chain.answer({ jsonrpc: "2.0", id: 0, method: "anvil_impersonateAccount", params: [`0x${address}`] });

const server = createServer(async (incoming, outgoing) => {
  const asked = await bodyOf(incoming);
  const one = async (request: Request) => ({ jsonrpc: "2.0", id: request.id, ...(await chain.answer(request)) });
  const answered = Array.isArray(asked) ? await Promise.all(asked.map(one)) : await one(asked);
  outgoing.setHeader("content-type", "application/json").end(JSON.stringify(answered));
});
server.listen(Number(values.port), "127.0.0.1");
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));
