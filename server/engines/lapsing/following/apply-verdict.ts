import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type LapsingRow, lockLapsingAttempt, type OpenLapsing, saveLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import type { Member } from "#db/queries/transfers/pack-members.ts";
import { lockTransfers, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { advanceLapsing, isOpenLapsing, type LapsingActionType } from "#domain/lapsing.ts";
import { type LapsingChain, owedOn } from "#domain/lapsing-chain.ts";
import { type LapsingEnd, type LapsingFee, type LapsingVerdict, placesIn } from "#domain/lapsing-report.ts";
import { advanceTransfer, type InBlock, type Transfer, type TransferAction } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { countMove } from "#server/engines/payments/engine.ts";
import { bookNetworkFees } from "#server/services/ledger/book-network-fee.ts";
import { type EndingMember, endMembers, freed } from "#server/services/transfers/end-members.ts";

/** An open attempt. `members`: the payments that its transaction makes; null: it is one payment itself. */
export type Followed = OpenLapsing & { members: readonly Member[] | null };
type Decided = Exclude<LapsingVerdict, { next: "wait" }>;

/**
 * Moves an attempt and its payment in one transaction, with everything that follows from the end: settlement, ledger, callbacks. Where
 * another worker was faster, nothing changes.
 */
export async function applyVerdict(
  pass: LapsingPass,
  { attempt, transfer, members }: Followed,
  action: LapsingActionType,
  verdict: Decided,
): Promise<void> {
  const { engine, chain } = pass;
  const applied = await engine.ctx.db.transaction(async (tx) => {
    // All at once, in the order of their ids, as every statement over several rows takes them: otherwise two could wait for each other.
    const rows = await lockTransfers(tx, [transfer.id, ...(members ?? []).map((member) => member.transfer.id)]);
    const before = rows.find(({ id }) => id === transfer.id) ?? null;
    const locked = await lockLapsingAttempt(tx, attempt.id);
    // The verdict is about the state in which the nodes were asked.
    if (before === null || locked === null || locked.state !== attempt.state) return null;
    const now = await readBusinessNow(tx);
    const state = advanceLapsing(locked.state, action);
    const block = blockOf(attempt.id, verdict);
    const moved = actionsOf(before, action, verdict, block).reduce((one, each) => advanceTransfer(one, each, now), before);
    const place = { blockNumber: block?.blockNumber ?? null, blockHash: block?.blockHash ?? null };
    const used = verdict.next === "pay" || verdict.next === "fail" ? (verdict.end.used ?? null) : null;
    await saveLapsingAttempt(tx, { ...locked, ...place, used, state, endedAt: isOpenLapsing(state) ? null : now });
    await saveTransfer(tx, moved, now);
    if (verdict.next === "pay" || verdict.next === "fail") await bookFee(tx, chain, { attempt, end: verdict.end }, now);
    const carried = await endMembers(tx, members === null ? [] : endingsOf(chain, members, { verdict, action, block }), now);
    const ended = [moved, ...carried.map((one) => one.after)].filter(({ state }) => state === "executed" || state === "failed");
    if (ended.length > 0) await engine.onFinal(tx, ended);
    engine.step("final_written", transfer.id);
    return { moved, carried };
  });
  if (applied === null) return;
  const after = applied.moved;
  countMove(engine, transfer.state, after);
  for (const one of applied.carried) countMove(engine, "packed", one.after);
  engine.step(action === "lapse" ? "lapsed" : "final", transfer.id);
  const fields = { transfer_id: after.id, chain: chain.chain, tx_hash: attempt.id, state: after.state };
  if (after.state === "needs_review")
    engine.ctx.log.error({ ...fields, reason: after.reviewReason }, "a transfer needs an operator's review");
  else if (action === "lapse") engine.ctx.log.warn(fields, "a signed payment has lapsed: it is made again");
  else engine.ctx.log.info(fields, "a transfer changed its state by what the chain shows");
}

const LAPSED = "Its signed payment has lapsed, and no block contains it: it is made again.";

const PACK_LAPSED = "Its signed bytes have lapsed, and no block contains them: its payments are made alone.";

/** What becomes of the payments of a transaction that ends: all are paid, or all are made alone. */
function endingsOf(
  chain: LapsingChain,
  members: readonly Member[],
  { verdict, action, block }: { verdict: Decided; action: LapsingActionType; block: InBlock | null },
): EndingMember[] {
  if (action === "lapse") return freed(members, PACK_LAPSED);
  if (verdict.next === "fail") return freed(members, verdict.end.outcome === "failed" ? verdict.end.reason : "");
  if (verdict.next !== "pay" || block === null) return [];
  const places = placesIn(
    verdict.end,
    members.map(({ transfer }) => owedOn(chain, transfer)),
  );
  return members.map(({ transfer: { id: transferId } }, position) => ({
    action: { type: "pay_packed", ...block },
    result: { transferId, outcome: "paid", logIndex: places?.[position] ?? position },
  }));
}

/** What becomes of the payment, step by step of its own table. */
function actionsOf(transfer: Transfer, action: LapsingActionType, verdict: Decided, block: InBlock | null): TransferAction[] {
  // A worker may have died between the send and the note.
  const isPack = transfer.purpose === "pack";
  const mined: TransferAction[] = block === null || transfer.state === "mined" ? [] : [{ type: "mine", ...block }];
  switch (action) {
    case "send":
      return [{ type: "broadcast" }];
    case "see":
      return mined;
    case "drop":
      return [{ type: "reorganise" }];
    case "lapse":
      return isPack
        ? [
            { type: "lapse", reason: LAPSED },
            { type: "refuse", reason: PACK_LAPSED },
          ]
        : [{ type: "lapse", reason: LAPSED }];
    case "pay":
      return [...mined, { type: "execute" }];
    case "fail": {
      const end = verdict.next === "fail" ? verdict.end : null;
      if (end?.outcome !== "failed") throw new Error("a failed payment needs its end");
      return [...mined, { type: isPack || end.fault === "payment" ? "fail" : "review", reason: end.reason }];
    }
  }
}

function blockOf(txHash: string, verdict: Decided): InBlock | null {
  if (verdict.next === "see") return { txHash, blockNumber: verdict.height, blockHash: verdict.blockHash };
  if (verdict.next !== "pay" && verdict.next !== "fail") return null;
  return { txHash, blockNumber: verdict.end.height, blockHash: verdict.end.blockHash };
}

/** What the chain took, in what it took it in. */
async function bookFee(
  tx: Database,
  chain: LapsingChain,
  { attempt, end }: { attempt: LapsingRow; end: LapsingEnd },
  now: Date,
): Promise<void> {
  const receipt = { hash: attempt.id, blockHeight: end.height, gasUsed: 0n, feeBase: end.fee.amountBase };
  await bookNetworkFees(tx, { chain: chain.chain, native: feeAssetOf(chain, end.fee) }, [{ transferId: attempt.transferId, receipt }], now);
}

function feeAssetOf({ chain, tokens }: LapsingChain, { token }: LapsingFee): { currency: string; decimals: number } {
  const asset = tokens.find(({ address }) => address === token);
  if (asset === undefined) throw new Error(`a fee was paid in ${token ?? "a coin"}, which ${chain} is not configured with`);
  return asset;
}
