import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, toFunctionSelector } from "viem";
import { CHAIN_ID, rpcUrl } from "#sandbox/chain/anvil.ts";
import { callNode } from "#sandbox/chain/rpc.ts";
import { BLOCKED_WALLET, deployTestTokens, fundWallet, type TestTokens } from "#sandbox/chain/tokens.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { type ChainEngine, chainEngine, startChainEngine } from "./chain-engine.ts";

export type TestChainOptions = {
  /** The engine that makes its blocks; default: the one that `CHAIN_ENGINE` names. */
  engine?: ChainEngine;
} & (
  | /** Each transaction is mined at once. */ { blockTimeSeconds?: undefined; noMining?: undefined }
  | /** The block time in seconds. */ { blockTimeSeconds: number }
  | /** A block only on `mine()`: whatever is sent stays pending. */ { noMining: true }
);

export type TestChain = {
  rpcUrl: string;
  chainId: 31337;
  /** CAIP-2. */
  chain: "eip155:31337";
  tokens: TestTokens;
  /** The tokens refuse to move to it. */
  blockedWallet: Address;
  /** Tops the wallet up to this much ether and this many whole tokens of each kind (mining as needed). */
  fund(wallet: Address, holding?: { ether: number; tokens: number }): Promise<void>;
  mine(blocks?: number): Promise<void>;
  /** Any JSON-RPC method of the node (`anvil_reorg`, `anvil_dropTransaction`, `evm_setNextBlockTimestamp`, …). */
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** A call of the USDT token by its owner, or by a wallet that the node impersonates, ahead of any payment in its block. */
  callToken(signature: string, args?: readonly (string | bigint)[], from?: string): Promise<void>;
  stop(): Promise<void>;
};

const TOKEN_OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/** More than any payment offers, so that it precedes it in its block. */
const FIRST = { gas: "0x30d40", maxFeePerGas: "0x174876e800", maxPriorityFeePerGas: "0x174876e800" };

function toWord(value: string | bigint): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");
}

/** A fresh separate local chain with the test tokens. Call `stop` in `afterAll`. */
export async function startTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  const folder = mkdtempSync(join(tmpdir(), "settlement-chain-"));
  const port = await findFreePort();
  const node = await startChainEngine(options.engine ?? chainEngine(), { port, logFile: join(folder, "node.log") });
  const url = rpcUrl(port);
  const call = (method: string, ...params: unknown[]) => callNode(url, method, params);
  const stop = async () => {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const tokens = await deployTestTokens(url);
    if ("noMining" in options && options.noMining) await call("evm_setAutomine", false);
    if ("blockTimeSeconds" in options && options.blockTimeSeconds) await call("evm_setIntervalMining", options.blockTimeSeconds);
    return {
      rpcUrl: url,
      chainId: CHAIN_ID,
      chain: "eip155:31337",
      tokens,
      blockedWallet: BLOCKED_WALLET,
      fund: async (wallet, holding = { ether: 100, tokens: 1_000_000 }) => {
        await fundWallet(url, tokens, wallet, holding);
      },
      mine: async (blocks = 1) => {
        await call("anvil_mine", `0x${blocks.toString(16)}`);
      },
      call,
      callToken: async (signature, args = [], from = TOKEN_OWNER) => {
        const data = toFunctionSelector(signature) + args.map(toWord).join("");
        await call("eth_sendTransaction", { from, to: tokens.USDT, data, ...FIRST });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
