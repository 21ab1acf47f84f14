import { listPayingAddresses } from "#db/queries/transfers/wallet-addresses.ts";
import { canonicalOf } from "#domain/lapsing-chain.ts";
import { senderOf, type Transfer } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { type Budgets, findShortage } from "./wallet-budget.ts";

/** The wallet that pays a transfer. */
export type ChooseWallet = (transfer: Transfer) => Promise<string>;

/**
 * Chooses among the wallets whose keys are here and which sign: the one that must pay it, or the first that holds enough of the token, as
 * of the pass's budgets. Where none does, the first one: the payment then waits, and says for what.
 */
export async function openChoice({ engine, chain, wallets }: LapsingPass, budgets: Budgets): Promise<ChooseWallet> {
  const paying = await listPayingAddresses(engine.ctx.db, chain.chain);
  const able = wallets.filter((wallet) => paying.includes(wallet));
  const [first = ""] = [...able, ...wallets];
  return async (transfer) => {
    const sender = senderOf(transfer);
    if (sender !== undefined) return wallets.find((wallet) => canonicalOf(chain, wallet) === canonicalOf(chain, sender)) ?? sender;
    const wanted = { token: transfer.tokenAddress, amountBase: transfer.amountBase, feeToken: null, feeAtMost: 0n };
    for (const wallet of able.length > 1 ? able : [])
      if (findShortage(await budgets(wallet, [transfer.tokenAddress]), [], wanted) === undefined) return wallet;
    return first;
  };
}
