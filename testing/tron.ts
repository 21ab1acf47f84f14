import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import { hexOfTron, tronOfHex } from "#domain/tron-address.ts";
import { DoubleChain } from "#sandbox/chain/tron/double-chain.ts";
import { type DoubleNode, startDoubleNode } from "#sandbox/chain/tron/double-node.ts";
import { tronKey } from "#server/adapters/signer/tron-key.ts";
import { startTestChain, type TestChain } from "./chain.ts";

/** A wallet of the test network: its address, and its signature on bytes. */
export type TronWallet = { address: string; key: `0x${string}`; sign(unsigned: Pick<UnsignedPayment, "bytes">): Promise<string> };

/** The double of a Tron network with two nodes. Its blocks are made on request, and its clock is that of its blocks. */
export type TestTron = {
  chain: DoubleChain;
  nodes: readonly [DoubleNode, DoubleNode];
  /** USDT and the wallet that it refuses. */
  token: string;
  blocked: string;
  evm: TestChain;
  /** A new wallet. Without TRX its account is not activated. */
  wallet(holding?: { trx?: number; energy?: number; tokens?: number }): Promise<TronWallet>;
  /** Tokens of an address in base units. */
  tokensOf(address: string): Promise<bigint>;
  stop(): Promise<void>;
};

/** Starts it over a fresh EVM. Call `stop` in `afterAll`. */
export async function startTestTron({ unsolidified = 3 }: { unsolidified?: number } = {}): Promise<TestTron> {
  const evm = await startTestChain();
  const chain = new DoubleChain(evm.rpcUrl, { unsolidified });
  const nodes = [await startDoubleNode(chain, "first"), await startDoubleNode(chain, "second")] as const;
  await chain.mine(unsolidified + 2);
  return {
    chain,
    nodes,
    token: tronOfHex(evm.tokens.USDT),
    blocked: tronOfHex(evm.blockedWallet),
    evm,
    async wallet({ trx = 0, energy = 0, tokens = 0 } = {}) {
      const key = generatePrivateKey();
      const { address } = privateKeyToAccount(key);
      if (tokens > 0) await evm.fund(address, { ether: 1, tokens });
      if (trx + energy > 0) chain.accounts.fund(address.toLowerCase(), { balanceSun: BigInt(trx * 1e6), energy: BigInt(energy) });
      return { address: tronOfHex(address), key, sign: (unsigned) => tronKey(async () => key).sign(unsigned.bytes) };
    },
    async tokensOf(address) {
      const data = `0x70a08231${hexOfTron(address).slice(2).padStart(64, "0")}`;
      return BigInt(String(await evm.call("eth_call", { to: evm.tokens.USDT, data }, "latest")));
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      await evm.stop();
    },
  };
}
