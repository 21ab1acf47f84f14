import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { TestChain } from "./chain.ts";

/** Somebody else uses the treasury's key: an empty transaction under the next nonce, or under the one given. */
export async function spendOutside(chain: TestChain, key: Hex, nonce: number, gwei: number): Promise<string> {
  const account = privateKeyToAccount(key);
  const fee = BigInt(gwei) * 10n ** 9n;
  const raw = await account.signTransaction({
    chainId: chain.chainId,
    nonce,
    to: account.address,
    gas: 21_000n,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
    type: "eip1559",
  });
  return String(await chain.call("eth_sendRawTransaction", raw));
}
