import type { Database } from "#db/client.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { SigningCheck } from "./check-kinds.ts";
import { isHeldBy, keepVerdicts, releasedKeys } from "./keep-verdicts.ts";
import { LIMITS_BEFORE_SIGNING } from "./limit-check.ts";
import { UNEXPLAINED_BEFORE_SIGNING } from "./unexplained-check.ts";

/** Every check before a payment is signed. */
export const SIGNING_CHECKS: readonly SigningCheck[] = [LIMITS_BEFORE_SIGNING, UNEXPLAINED_BEFORE_SIGNING];

/**
 * Judges payments in the transaction that would store their signed bytes, and holds those that a check holds. The transfers are locked and
 * queued, in the order of their nonces. Payments behind a held one are judged again in their turn, so nothing is stored about them yet.
 *
 * @returns the ids of those that must not be signed: held now, or held before
 */
export async function judgeBeforeSigning(
  tx: Database,
  transfers: readonly Transfer[],
  about: { walletId: string; now: Date },
  checks: readonly SigningCheck[] = SIGNING_CHECKS,
): Promise<Set<string>> {
  const ours = transfers.filter(({ purpose }) => checks.some(({ purposes }) => purposes.has(purpose)));
  if (ours.length === 0) return new Set();
  const known = await listHoldsOf(
    tx,
    ours.map(({ ownerId }) => ownerId),
  );
  const payments = ours.map((transfer) => {
    const holds = known.filter(({ ownerId, purpose }) => ownerId === transfer.ownerId && purpose === transfer.purpose);
    return { transfer, holds, wasHeld: holds.some(({ outcome }) => outcome === "open") };
  });
  const asked = payments.filter(({ wasHeld }) => !wasHeld);
  const answers = await Promise.all(
    checks.map(async ({ check, purposes, judge }) => {
      const concerned = asked.filter(({ transfer }) => purposes.has(transfer.purpose));
      const toSign = concerned.map(({ transfer, holds }) => ({ transfer, released: releasedKeys(holds, check) }));
      return { check, findings: await judge(tx, toSign, about) };
    }),
  );
  const judged = asked.map(({ transfer: { id, purpose, ownerId, partnerId }, holds }) => {
    const verdicts = answers.map(({ check, findings }) => ({ check, stage: "sign" as const, findings: findings.get(id) ?? [] }));
    return { id, purpose, ownerId, partnerId, holds, verdicts };
  });
  const held = judged.filter(isHeldBy);
  const stopped = new Set([...payments.flatMap(({ transfer, wasHeld }) => (wasHeld ? [transfer.id] : [])), ...held.map(({ id }) => id)]);
  const firstStopped = transfers.findIndex(({ id }) => stopped.has(id));
  const inTurn = new Set((firstStopped === -1 ? transfers : transfers.slice(0, firstStopped)).map(({ id }) => id));
  await keepVerdicts(
    tx,
    judged.filter((one) => inTurn.has(one.id) || stopped.has(one.id)),
    about.now,
  );
  return stopped;
}
