import type { Database } from "#db/client.ts";
import { type Member, type MemberResult, saveOutcomes } from "#db/queries/transfers/pack-members.ts";
import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { lockTransfers, saveTransfers, wakeTransfers } from "#db/queries/transfers/transfers.ts";
import type { EvmLog } from "#domain/evm-intent.ts";
import { memberEnds } from "#domain/packed-transfers.ts";
import { advanceTransfer, allowsTransfer, type InBlock, type Transfer, type TransferAction } from "#domain/transfer.ts";

/** What becomes of a payment when its packed transaction ends. */
export type EndingMember = { action: TransferAction; result: MemberResult };
export type EndedMember = { action: TransferAction; after: Transfer };

/**
 * How the payments of a successful packed transaction end, each by its logs. What the token refused is paid alone, which shows why. A payment
 * of which the logs say neither or both goes under review, as a payment alone does.
 */
export function endingsOf(transaction: OpenTransaction, logs: readonly EvmLog[], block: InBlock): EndingMember[] {
  const ends = memberEnds(transaction, logs);
  return transaction.members.map(({ transfer: { id: transferId } }): EndingMember => {
    const end = ends.get(transferId);
    if (end?.outcome === "paid")
      return { action: { type: "pay_packed", ...block }, result: { transferId, outcome: "paid", logIndex: end.place } };
    const refused = end?.outcome === "refused";
    const result = { transferId, outcome: refused ? ("refused" as const) : ("unclear" as const), logIndex: null };
    const reason = refused
      ? `The token refused it among the payments of ${block.txHash}: it is paid alone.`
      : `Transaction ${block.txHash} succeeded, but its logs do not say whether it made this payment.`;
    return { action: { type: refused ? "unpack" : "review", reason }, result };
  });
}

/** The payments of a packed transaction that came to nothing: all of them are paid alone. */
export function freed(members: readonly Member[], why: string): EndingMember[] {
  const reason = `Its packed transaction paid nobody, so it is paid alone: ${why}`;
  return members.map(({ transfer: { id: transferId } }) => ({
    action: { type: "unpack", reason },
    result: { transferId, outcome: "unpaid", logIndex: null },
  }));
}

/**
 * Ends the payments of a packed transaction, in the database transaction that ends it. Their owners are for the caller to notify.
 *
 * @throws Error where one is not packed any more: then nothing may commit
 */
export async function endMembers(tx: Database, endings: readonly EndingMember[], now: Date): Promise<EndedMember[]> {
  const ids = endings.map(({ result }) => result.transferId);
  const locked = new Map((await lockTransfers(tx, ids)).map((transfer) => [transfer.id, transfer]));
  const ended = advanceMembers(endings, locked, now);
  await saveTransfers(
    tx,
    ended.map(({ after }) => after),
    now,
  );
  await saveEndings(tx, endings, ended);
  return ended;
}

/** What {@link endMembers} makes of locked payments, for a caller who saves them with others. @throws Error as there */
export function advanceMembers(endings: readonly EndingMember[], locked: ReadonlyMap<string, Transfer>, now: Date): EndedMember[] {
  return endings.map(({ action, result }) => {
    const before = locked.get(result.transferId);
    if (before === undefined || !allowsTransfer(before.state, action.type) || before.state !== "packed")
      throw new Error(`${result.transferId} is ${before?.state}, and no payment of a packed transaction any more`);
    return { action, after: advanceTransfer(before, action, now) };
  });
}

/** Stores how the payments ended that {@link advanceMembers} advanced, and wakes the workers for those that are made again. */
export async function saveEndings(tx: Database, endings: readonly EndingMember[], ended: readonly EndedMember[]): Promise<void> {
  await saveOutcomes(
    tx,
    endings.map(({ result }) => result),
  );
  if (ended.some(({ after }) => after.state === "queued")) await wakeTransfers(tx);
}
