/**
 * The reference for the execution: signs payments of one token from one wallet in a loop and sends them, with a limited number in flight,
 * until the last one has the confirmations that the service requires. It stores nothing, checks nothing, and repairs nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createPublicClient, encodeFunctionData, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import { developmentChain } from "#sandbox/chain/development-chain.ts";
import { testTokenAbi } from "#sandbox/chain/tokens.ts";
import { onTask } from "./run.ts";

const hex = z.templateLiteral(["0x", z.string()]);
const Task = z.object({
  rpcUrl: z.string(),
  key: hex,
  token: hex,
  recipient: hex,
  amountBase: z.coerce.bigint(),
  count: z.number(),
  onTheirWay: z.number(),
  confirmations: z.number(),
});

async function transfer({ rpcUrl, key, token, recipient, amountBase, count, onTheirWay, confirmations }: z.infer<typeof Task>) {
  const account = privateKeyToAccount(key);
  const node = createPublicClient({ chain: developmentChain, transport: http(rpcUrl), cacheTime: 0 });
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: "transfer", args: [recipient, amountBase] });
  const first = await node.getTransactionCount({ address: account.address });
  const fees = { maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n, gas: 100_000n };
  const before = await node.readContract({ address: token, abi: testTokenAbi, functionName: "balanceOf", args: [account.address] });
  const [spent, started] = [process.cpuUsage(), performance.now()];
  let [sent, mined] = [0, 0];
  const send = async () => {
    while (sent < count) {
      if (sent - mined >= onTheirWay) {
        await sleep(5);
        continue;
      }
      const nonce = first + sent++;
      const serializedTransaction = await account.signTransaction({ chainId: developmentChain.id, nonce, to: token, data, ...fees });
      await node.sendRawTransaction({ serializedTransaction });
    }
  };
  const watch = async () => {
    while (mined < count) {
      await sleep(20);
      mined = (await node.getTransactionCount({ address: account.address })) - first;
    }
  };
  await Promise.all([...Array.from({ length: 16 }, send), watch()]);
  const last = await node.getBlockNumber();
  while ((await node.getBlockNumber()) < last + BigInt(confirmations - 1)) await sleep(20);
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(spent);
  const after = await node.readContract({ address: token, abi: testTokenAbi, functionName: "balanceOf", args: [account.address] });
  if (before - after !== amountBase * BigInt(count)) throw new Error(`${before - after} was paid, not ${count} times ${amountBase}`);
  return { done: count, seconds, cpuMs: (user + system) / 1_000 };
}

onTask((task) => transfer(Task.parse(task)));
