import { createPublicClient, http } from "viem";
import { afterEach, expect, test } from "vitest";
import { pauseToken, testTokenAbi, tokenOwner } from "#sandbox/chain/tokens.ts";
import { startTestChain, type TestChain } from "./chain.ts";

let chain: TestChain | undefined;
afterEach(() => chain?.stop());

const WALLET = "0x2222222222222222222222222222222222222222";

test("a fresh chain has funded test tokens of six decimals, which refuse the blocked wallet with a readable reason", async () => {
  chain = await startTestChain();
  await chain.fund(WALLET, { ether: 20, tokens: 5 });
  const node = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 });
  const token = { abi: testTokenAbi, address: chain.tokens.USDT } as const;
  expect(await node.readContract({ ...token, functionName: "decimals" })).toBe(6);
  expect(await node.readContract({ ...token, functionName: "balanceOf", args: [WALLET] })).toBe(5_000_000n);
  const transfer = (to: `0x${string}`) => node.simulateContract({ ...token, account: WALLET, functionName: "transfer", args: [to, 1n] });
  await expect(transfer(chain.blockedWallet)).rejects.toThrow(/receiving wallet is blocklisted/);
  await expect(transfer(tokenOwner().address)).resolves.toBeDefined();
  await pauseToken(chain.rpcUrl, chain.tokens.USDT, true);
  await expect(transfer(tokenOwner().address)).rejects.toThrow(/paused/);
});

test("a chain that does not mine keeps what is sent pending until it is asked to mine", async () => {
  chain = await startTestChain({ noMining: true });
  await chain.fund(WALLET);
  const before = await chain.call("eth_blockNumber");
  const hash = await chain.call("eth_sendTransaction", { from: tokenOwner().address, to: WALLET, value: "0x1" });
  expect(await chain.call("eth_getTransactionReceipt", hash)).toBeNull();
  expect(await chain.call("eth_blockNumber")).toBe(before);
  await chain.mine(3);
  expect(await chain.call("eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
});

test("a chain mines a block by itself each so many seconds", async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  const before = Number(await chain.call("eth_blockNumber"));
  await expect.poll(async () => Number(await chain?.call("eth_blockNumber"))).toBeGreaterThan(before + 1);
});
