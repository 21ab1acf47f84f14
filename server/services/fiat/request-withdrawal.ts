import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { lockPool } from "#db/queries/fiat-pools.ts";
import { findWithdrawalByExternalId, insertWithdrawal, lockSafe, sumPromisedOfSafe } from "#db/queries/withdrawals.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { Uses } from "#server/context.ts";
import { refuseBeyondPool } from "#server/domain/fiat.ts";
import { Refusal } from "#server/domain/refusal.ts";
import type { Withdrawal } from "#server/domain/withdrawal.ts";
import { postWithdrawal } from "#server/services/ledger/post-withdrawal.ts";
import type { DrawnUpWithdrawal, RequestWithdrawal } from "./draw-up-withdrawal.ts";
import { externalIdTaken, isSameWithdrawal } from "./same-request.ts";

export type RequestedWithdrawal = { withdrawal: Withdrawal /** It was there already. */; repeated: boolean };

/**
 * Stores what {@link drawUpWithdrawal} has drawn up, and reserves its amount in the pool, in one transaction (contract, part 6). The
 * same request under the same `externalId` answers what exists, however far that has come.
 *
 * @throws Refusal `conflict` (another request under this `externalId`), `insufficient_liquidity`, `insufficient_funds`; nothing is
 * stored then.
 */
export async function requestWithdrawal(
  ctx: Uses<"db">,
  command: RequestWithdrawal,
  drawn: DrawnUpWithdrawal,
): Promise<RequestedWithdrawal> {
  if (drawn.isRepeat) return { withdrawal: drawn.withdrawal, repeated: true };
  try {
    return await ctx.db.transaction(async (tx) => {
      const { withdrawal, safeBalanceBase } = drawn;
      const pool = await lockPool(tx, withdrawal.currency);
      if (pool === null) throw new Refusal("unsupported_pair");
      // Who came first under this reference has let go of the pool by now.
      const earlier = await findWithdrawalByExternalId(tx, command.partnerId, command.externalId);
      if (earlier !== null) return { withdrawal: repeat(earlier, command), repeated: true };
      refuseBeyondPool(pool, withdrawal.amountMinor);
      await lockSafe(tx, withdrawal);
      if ((await sumPromisedOfSafe(tx, withdrawal)) + withdrawal.sourceAmountBase > safeBalanceBase) {
        throw new Refusal("insufficient_funds", {
          detail: `The Safe does not hold enough ${withdrawal.sourceCurrency} for this withdrawal.`,
        });
      }
      await insertWithdrawal(tx, withdrawal);
      const { id, partnerId, step, externalId, createdAt: now } = withdrawal;
      await postWithdrawal(tx, withdrawal, now);
      const change = { step, external_id: externalId, amount: Number(withdrawal.amountMinor), currency: withdrawal.currency };
      await insertAuditEntry(tx, { by: command.by, partnerId, action: "withdrawal.requested", objectId: id, change, now });
      return { withdrawal, repeated: false };
    });
  } catch (error) {
    if (isUniqueViolation(error, "withdrawals_external_id")) throw externalIdTaken();
    throw error;
  }
}

/** @throws Refusal `conflict` when it is another request. */
function repeat(earlier: Withdrawal, command: RequestWithdrawal): Withdrawal {
  if (!isSameWithdrawal(earlier, command)) throw externalIdTaken();
  return earlier;
}
