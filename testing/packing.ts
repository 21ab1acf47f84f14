import { deployPackingContract } from "#sandbox/chain/packing.ts";
import type { TestChain } from "./chain.ts";

const ANY_AMOUNT = 2n ** 256n - 1n;

/** The packing contract on a chain, and that new wallets let it move their USDT: as after the first payments of each wallet. */
export async function allowPacking(chain: TestChain, wallets: readonly string[]): Promise<void> {
  const contract = await deployPackingContract(chain.rpcUrl);
  for (const wallet of wallets) {
    if (Number(await chain.call("eth_getTransactionCount", wallet, "latest")) > 0) continue;
    await chain.call("anvil_impersonateAccount", wallet);
    await chain.callToken("approve(address,uint256)", [contract, ANY_AMOUNT], wallet);
    await chain.mine();
    await chain.call("anvil_stopImpersonatingAccount", wallet);
  }
}
