import type { Database } from "#db/client.ts";
import { type KeptSignature, listApprovalSignatures } from "#db/queries/proposals/decision-signatures.ts";
import { listItems } from "#db/queries/settlements/batches.ts";
import { listUserDeciders } from "#db/queries/settlements/settlement-approvals.ts";
import { findPaymentOwners } from "#db/queries/transfers/payment-owners.ts";
import { decimal } from "#domain/decimal.ts";
import { fiatAmount } from "#domain/money.ts";
import type { PaymentOwner } from "#domain/owed-payment.ts";
import type { Settlement } from "#domain/settlement.ts";
import { isAboveThreshold, recordFault } from "#domain/signed-approval.ts";
import type { Transfer } from "#domain/transfer.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";
import { verifySignature } from "#server/services/proposals/verify-signature.ts";
import type { FindUnowed } from "./find-unowed.ts";
import { findUnsignedReleases } from "./find-unsigned-releases.ts";
import { findUnsignedWithdrawals } from "./find-unsigned-withdrawals.ts";

/** What verifies the signatures of approvals, and says where they are demanded. */
export type VerifyingPowers = Uses<"passkeys" | "policy" | "mode" | "clock">;
type Approved = Extract<PaymentOwner, { purpose: "settlement" }>;

/**
 * What `find` finds, and the payments whose decision must be signed and is not: approvals of settlements, treasury withdrawals, and releases from
 * a hold. Nothing more is asked where nothing must be.
 */
export function withSignatures(ctx: VerifyingPowers, find: FindUnowed): FindUnowed {
  return async (tx, payments, chain, areReleased = false) => {
    const unowed = await find(tx, payments, chain);
    if (areReleased) return unowed;
    const withdrawals = await findUnsignedWithdrawals({ ...ctx, db: tx }, payments);
    const releases = await findUnsignedReleases({ ...ctx, db: tx }, payments);
    return new Map([...(await findUnsigned(ctx, tx, payments)), ...withdrawals, ...releases, ...unowed]);
  };
}

/**
 * Which of these payments are of an approved settlement above the threshold without the signatures of as many people as must approve it
 * (docs/decisions/signed-decisions.md). A row that says `approved` counts for nothing here: a passkey must have signed this settlement,
 * recipient, amount and token; one of them at a price as near to the paid one as its record says.
 *
 * @returns by the payment's id, what is missing
 */
async function findUnsigned(ctx: VerifyingPowers, tx: Database, payments: readonly Transfer[]): Promise<Map<string, string>> {
  const unsigned = new Map<string, string>();
  const thresholds = ctx.policy.signedApprovals;
  const settled = payments.filter(({ purpose }) => purpose === "settlement");
  if (thresholds === null || settled.length === 0) return unsigned;
  const owners = await findPaymentOwners(tx, settled);
  const approved = settled.flatMap(({ id }) => {
    const owner = owners.get(id);
    if (owner?.purpose !== "settlement" || owner.settlement.approvalState === null) return [];
    return [{ id, owner, amount: fiatAmount(owner.settlement.sourceAmountMinor, owner.settlement.sourceCurrency) }];
  });
  const sums = await sumsOf(
    tx,
    approved.map(({ owner }) => owner.settlement),
  );
  const due = approved.filter(({ amount, owner: { settlement } }) => {
    const { batchId, sourceCurrency } = settlement;
    const sum = batchId === null ? undefined : sums.get(`${batchId} ${sourceCurrency}`);
    const amounts = sum === undefined ? [amount] : [amount, fiatAmount(sum, sourceCurrency)];
    return amounts.some((one) => isAboveThreshold(thresholds, sourceCurrency, decimal(one)));
  });
  if (due.length === 0) return unsigned;
  const objects = due.flatMap(({ owner: { settlement } }) => [settlement.id, ...(settlement.batchId === null ? [] : [settlement.batchId])]);
  const [kept, approvals] = [
    await listApprovalSignatures(tx, [...new Set(objects)]),
    await listUserDeciders(
      tx,
      due.map(({ owner }) => owner.settlement.id),
    ),
  ];
  for (const { id, owner, amount } of due) {
    const { settlement } = owner;
    const deciders = approvals.filter(({ settlementId }) => settlementId === settlement.id).map(({ deciderId }) => deciderId);
    const own = kept.filter(({ objectId, userId }) => [settlement.id, settlement.batchId].includes(objectId) && deciders.includes(userId));
    const fault = await approvalFault(ctx, owner, { amount, kept: own });
    if (fault !== null) unsigned.set(id, fault);
  }
  return unsigned;
}

/** What the items of their batches come to, by batch and source currency: a batch that only its sum brings above the threshold is signed, too. */
async function sumsOf(tx: Database, settlements: readonly Settlement[]): Promise<Map<string, bigint>> {
  const batches = new Map(settlements.flatMap(({ batchId, partnerId }) => (batchId === null ? [] : [[batchId, partnerId] as const])));
  const sums = new Map<string, bigint>();
  for (const [id, partnerId] of batches)
    for (const { sourceCurrency, sourceAmountMinor } of await listItems(tx, { id, partnerId })) {
      const key = `${id} ${sourceCurrency}`;
      sums.set(key, (sums.get(key) ?? 0n) + sourceAmountMinor);
    }
  return sums;
}

async function approvalFault(
  ctx: VerifyingPowers,
  { settlement, approvals }: Approved,
  { amount, kept }: { amount: string; kept: readonly KeptSignature[] },
): Promise<string | null> {
  const needed = Math.max(1, approvals.needed);
  const [signers, faults] = [new Set<string>(), [] as string[]];
  let isPriceSeen = false;
  for (const one of kept) {
    const verified = "Its key is younger than a day";
    const isYoung = ctx.mode === "live" && one.key !== null && ctx.clock.now().getTime() - one.key.registeredAt.getTime() < OLD_ENOUGH_MS;
    const outcome = isYoung ? { fault: verified } : await verifySignature(ctx, one);
    const fault = "fault" in outcome ? outcome.fault : recordFault(outcome.record, settlement, amount);
    if (fault === null || fault === "another price") signers.add(one.userId);
    if (fault === null) isPriceSeen = true;
    else faults.push(fault);
  }
  if (signers.size >= needed && isPriceSeen) return null;
  const why = faults.length === 0 ? "" : `: ${faults.join(", ")}`;
  return `Passkeys of ${signers.size} of ${needed} people have signed its approval${isPriceSeen || signers.size < needed ? "" : ", none at its price"}${why}.`;
}
