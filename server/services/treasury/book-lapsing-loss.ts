import { findLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import type { By } from "#domain/access.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { LapsingEntry } from "#domain/lapsing-journal.ts";
import type { LapsingEnd } from "#domain/lapsing-report.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { lossReference } from "#domain/treasury-loss.ts";
import type { Uses } from "#server/context.ts";
import { type Proposed, propose } from "#server/services/proposals/propose.ts";
import { TREASURY_LOSS } from "./book-loss.ts";
import { compareLapsing } from "./compare-lapsing.ts";

/**
 * Proposes to book payments of the signer's journal as losses: the database does not know them, and nobody owes here what they paid. Amounts and
 * fees come from the chain, and every node is asked. In the sandbox they are booked at once.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `conflict` when that is proposed already, `invalid_state` when one of them is known or owed
 * here, or is not in a final block by every node
 */
export async function bookLapsingLoss(
  ctx: Uses<"db" | "clock" | "mode" | "lapsing">,
  command: { by: By; chain: LapsingChain; entries: readonly LapsingEntry[]; reason: string },
): Promise<Proposed<object>> {
  const { by, chain, entries, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const [compared] = await compareLapsing({ ...ctx, lapsing: { list: () => [chain], find: () => chain } }, entries);
  const transactions = [];
  for (const entry of entries) {
    const lost = compared?.lost.find((one) => one.entry.id === entry.id);
    if (lost === undefined || (!lost.isPart && (await findLapsingAttempt(ctx.db, entry.id)) !== null))
      throw invalid(`${entry.id} is known here, or booked as lost already.`);
    if (lost.transfer !== null) throw invalid(`${entry.id} is for ${lost.transfer.id}, which is owed here: it ends by itself.`);
    if (lost.fate !== "paid") throw invalid(`Not every node of ${chain.name} shows ${entry.id} in a final block.`);
    // The fee of one that is known here is booked with it.
    transactions.push(lostIn(chain, lost.entry, lost.isPart ? { ...lost.end, fee: { ...lost.end.fee, amountBase: 0n } } : lost.end));
  }
  const native = assetOf(chain, entries[0]?.feeAtMost.token ?? null);
  const body = { chain: chain.chain, native, transactions };
  return await propose(ctx, TREASURY_LOSS, { by, subject: lossReference(chain.chain, transactions[0]?.hash ?? ""), body, reason });
}

/** It has no nonce. */
function lostIn(chain: LapsingChain, { id, wallet, token, amountBase }: LapsingEntry, { height, fee }: LapsingEnd) {
  const outflow = [{ ...assetOf(chain, token), amount_base: amountBase.toString() }];
  return { hash: id, wallet, nonce: null, block_number: height, outflow, fee_base: fee.amountBase.toString() };
}

function assetOf({ chain, tokens }: LapsingChain, token: string | null): { currency: string; decimals: number } {
  const asset = tokens.find(({ address }) => address === token);
  if (asset === undefined) throw new Refusal("invalid_state", { detail: `${token ?? "the coin"} of ${chain} is not configured.` });
  return { currency: asset.currency, decimals: asset.decimals };
}

function invalid(detail: string): Refusal {
  return new Refusal("invalid_state", { detail });
}
