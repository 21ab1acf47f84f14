import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { rpcUrl, startAnvil } from "#sandbox/chain/anvil.ts";
import { chainEntry, lapsingSettingsOf, TEMPO_CHAIN, TEMPO_TOKENS } from "#sandbox/chain/families.ts";
import { callNode } from "#sandbox/chain/rpc.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { type ProxyRule, startRpcProxy } from "#testing/rpc-proxy.ts";
import type { FamilyNetwork, NodeFault } from "./network.ts";

const WINDOW_SECONDS = 25;
const TREASURY = 1_000_000_000_000_000n;
/** Holds all of the tokens there, and the node signs for it. */
const DEVELOPER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const Logs = z.array(z.object({ topics: z.array(z.string()), data: z.string(), transactionHash: z.string() }));

const word = (value: bigint | string) => (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");
const LOOK_UPS = /^eth_getTransaction(Receipt|ByHash)$/;

/** What the proxy in front of the first node does. */
const MISBEHAVIOURS: Readonly<Record<NodeFault, (ids: readonly string[]) => ProxyRule>> = {
  none: () => () => "pass",
  // It goes on to show the block that it showed first.
  lags: () => {
    let kept: unknown = null;
    return (method, [at]) => {
      if (method !== "eth_getBlockByNumber" || at !== "latest") return "pass";
      return { alter: (block) => (kept ??= block) };
    };
  },
  forgets: () => (method) => (LOOK_UPS.test(method) || method === "eth_getBlockReceipts" ? { result: null } : "pass"),
  hides:
    (ids) =>
    (method, [id]) =>
      LOOK_UPS.test(method) && ids.includes(String(id)) ? { result: null } : "pass",
  denies: () => () => "pass",
  swallows: () => (method) => (method === "eth_sendRawTransaction" ? "swallow" : "pass"),
  silent: () => () => "refuse",
};

/** A local network of Tempo with a block each second. It is one node; what its first view does wrong, a proxy does. */
export async function startTempoNetwork(): Promise<FamilyNetwork> {
  const folder = mkdtempSync(join(tmpdir(), "settlement-tempo-"));
  const port = await findFreePort();
  const node = await startAnvil({
    port,
    logFile: join(folder, "anvil.log"),
    network: { name: "tempo", hardfork: "T3" },
    chainId: Number(TEMPO_CHAIN.slice("eip155:".length)),
    blockTimeSeconds: 1,
  });
  const url = rpcUrl(port);
  const proxy = await startRpcProxy(url);
  const call = (method: string, ...params: unknown[]) => callNode(url, method, params);
  const tokens = { USDT: TEMPO_TOKENS.USDT, USDC: TEMPO_TOKENS.USDC };
  return {
    family: "tempo",
    chain: TEMPO_CHAIN,
    tokens,
    urls: [proxy.url, url],
    judge: openLapsingChains([lapsingSettingsOf({ chain: TEMPO_CHAIN, rpc_url: url, tokens }) ?? {}], { isLive: false }),
    lapseMs: (WINDOW_SECONDS + 5) * 1_000,
    faults: ["lags", "forgets", "hides", "swallows", "silent"],
    entry: (keyFiles, rpcUrls) => chainEntry("tempo", { chain: TEMPO_CHAIN, rpcUrls, tokens: TEMPO_TOKENS, keyFiles }),
    async fund(key) {
      const to = privateKeyToAddress(key);
      for (const token of Object.values(TEMPO_TOKENS)) {
        const data = `0xa9059cbb${word(to)}${word(TREASURY)}`;
        await call("eth_sendTransaction", { from: DEVELOPER, to: token, data, gas: "0xf4240" });
      }
      // Final, so that the books begin with it.
      await call("anvil_mine", "0x4");
    },
    walletOf: (hex) => getAddress(`0x${hex}`),
    async payments() {
      const filter = { fromBlock: "0x0", toBlock: "latest", address: tokens.USDT, topics: [TRANSFER] };
      return Logs.parse(await call("eth_getLogs", filter))
        .filter(({ topics }) => `0x${topics[1]?.slice(-40)}` !== DEVELOPER.toLowerCase())
        .map(({ topics, data, transactionHash: txHash }) => ({
          wallet: getAddress(`0x${topics[2]?.slice(-40)}`),
          amountBase: BigInt(data),
          txHash,
        }));
    },
    hold: async () => void (await call("evm_setIntervalMining", 0)),
    release: async () => void (await call("evm_setIntervalMining", 1)),
    async passExpiry() {
      await call("evm_increaseTime", WINDOW_SECONDS + 5);
      for (let block = 0; block < 4; block += 1) await call("anvil_mine", "0x1");
      await call("evm_setIntervalMining", 1);
    },
    async misbehave(fault, ids) {
      proxy.rule = MISBEHAVIOURS[fault](ids);
    },
    async disturb() {
      await call("anvil_reorg", 1, []);
      await call("anvil_dropAllTransactions");
    },
    async stop() {
      await proxy.stop();
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
