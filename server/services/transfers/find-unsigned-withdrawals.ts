import { listTreasuryWithdrawals } from "#db/queries/transfers/treasury-withdrawals.ts";
import { isSameDecision } from "#domain/signed-decision.ts";
import type { Transfer } from "#domain/transfer.ts";
import { type TreasuryWithdrawal, treasuryWithdrawalDecision, WITHDRAWAL_SIGNERS } from "#domain/treasury-withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { findSigners, type Signed } from "#server/services/proposals/find-signers.ts";

type Powers = Uses<"db" | "passkeys" | "mode" | "clock">;

/** Which admins' signatures count for each treasury withdrawal, by its id: those over exactly what its row says. */
export async function findWithdrawalSigners(ctx: Powers, withdrawals: readonly TreasuryWithdrawal[]): Promise<Map<string, Signed>> {
  const asked = withdrawals.map((withdrawal) => {
    const decision = treasuryWithdrawalDecision(withdrawal);
    return {
      id: withdrawal.id,
      fault: (record: Parameters<typeof isSameDecision>[0]) => (isSameDecision(record, decision) ? null : "it is over another withdrawal"),
    };
  });
  return await findSigners(ctx, "treasury.withdraw", asked);
}

/**
 * Which of these payments are of a treasury withdrawal without the signatures of two different admins. They are demanded of every one, whatever
 * its amount and the settings.
 *
 * @returns by the payment's id, what is missing
 */
export async function findUnsignedWithdrawals(ctx: Powers, payments: readonly Transfer[]): Promise<Map<string, string>> {
  const taken = payments.filter(({ purpose }) => purpose === "treasury_withdrawal");
  if (taken.length === 0) return new Map();
  const withdrawals = await listTreasuryWithdrawals(
    ctx.db,
    taken.map(({ ownerId }) => ownerId),
  );
  const signed = await findWithdrawalSigners(ctx, withdrawals);
  return new Map(
    taken.flatMap(({ id, ownerId }) => {
      const { signers, faults } = signed.get(ownerId) ?? { signers: [], faults: [] };
      if (signers.length >= WITHDRAWAL_SIGNERS) return [];
      const why = faults.length === 0 ? "" : `: ${[...new Set(faults)].join(", ")}`;
      return [[id, `Passkeys of ${signers.length} of ${WITHDRAWAL_SIGNERS} admins have signed it${why}.`] as const];
    }),
  );
}
