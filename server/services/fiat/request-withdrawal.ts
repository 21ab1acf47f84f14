import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { lockPool } from "#db/queries/fiat/fiat-pools.ts";
import { findWithdrawalByExternalId, insertWithdrawal, lockSafe, sumPromisedOfSafe } from "#db/queries/fiat/withdrawals.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import { refuseBeyondPool } from "#domain/fiat.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { withdrawalEvent } from "#server/services/events/event-of.ts";
import { postWithdrawal } from "#server/services/ledger/post-orders.ts";
import type { DrawnUpWithdrawal, RequestWithdrawal } from "./draw-up-withdrawal.ts";
import { externalIdTaken, isSameWithdrawal } from "./same-request.ts";

export type RequestedWithdrawal = { withdrawal: Withdrawal /** It was there already. */; repeated: boolean };

/**
 * Stores the result of {@link drawUpWithdrawal} and reserves its amount in the pool, in one transaction (contract, part 6). The same
 * request under the same `externalId` returns the existing withdrawal in its present state.
 *
 * @throws Refusal `step_up_required` for an owner, before anything else; `conflict` (another request under this `externalId`),
 * `insufficient_liquidity`, `insufficient_funds`; nothing is stored then.
 */
export async function requestWithdrawal(
  ctx: Uses<"db" | "clock">,
  command: RequestWithdrawal,
  drawUp: () => Promise<DrawnUpWithdrawal>,
): Promise<RequestedWithdrawal> {
  refuseUnlessProven(command.by, ctx.clock.now());
  const drawn = await drawUp();
  if (drawn.isRepeat) return { withdrawal: drawn.withdrawal, repeated: true };
  const { withdrawal, safeBalanceBase } = drawn;
  try {
    await ctx.db.transaction(async (tx) => {
      await store(tx, command, withdrawal);
      // Last, because it is the pool's lock that others wait for.
      await refuseUnlessCovered(tx, withdrawal, safeBalanceBase);
    });
    return { withdrawal, repeated: false };
  } catch (error) {
    if (!isUniqueViolation(error, "withdrawals_external_id")) throw error;
    const first = await findWithdrawalByExternalId(ctx.db, command.partnerId, command.externalId);
    if (first === null) throw error;
    if (!isSameWithdrawal(first, command)) throw externalIdTaken();
    return { withdrawal: first, repeated: true };
  }
}

async function store(tx: Database, { by }: RequestWithdrawal, withdrawal: Withdrawal): Promise<void> {
  const { id: objectId, partnerId, step, externalId: external_id, currency, createdAt: now } = withdrawal;
  await insertWithdrawal(tx, withdrawal);
  await postWithdrawal(tx, withdrawal, now);
  const change = { step, external_id, amount: Number(withdrawal.amountMinor), currency };
  await insertAuditEntry(tx, { by, partnerId, action: "withdrawal.requested", objectId, change, now });
  await recordEvents(tx, [withdrawalEvent(withdrawal, now)]);
}

/** Under the locks of Safe and pool, including this withdrawal: both must cover what is promised from them. */
async function refuseUnlessCovered(tx: Database, withdrawal: Withdrawal, safeBalanceBase: bigint): Promise<void> {
  await lockSafe(tx, withdrawal);
  const pool = await lockPool(tx, withdrawal.currency);
  if (pool === null) throw new Refusal("unsupported_pair");
  refuseBeyondPool({ ...pool, reservedMinor: pool.reservedMinor - withdrawal.amountMinor }, withdrawal.amountMinor);
  if ((await sumPromisedOfSafe(tx, withdrawal)) <= safeBalanceBase) return;
  throw new Refusal("insufficient_funds", { detail: `The Safe does not hold enough ${withdrawal.sourceCurrency} for this withdrawal.` });
}
