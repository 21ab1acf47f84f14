import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { fromAtto, HOUR_SECONDS, type Limit } from "#domain/exposure-limit.ts";
import { HALT_SCOPE_KINDS } from "#domain/halt-scope.ts";
import { sumByCurrency, tokenAmount } from "#domain/money.ts";
import type { PastEffect } from "#domain/past-effect.ts";
import { type Finding, HELD_PURPOSES } from "#domain/payment-check.ts";
import { isUuid } from "#domain/uuid.ts";
import { faultsOfLimit, readLimit } from "#domain/written-limit.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { readLimits, setLimit } from "#server/services/exposure/set-limit.ts";
import { tryChange, tryProposal } from "#server/services/exposure/try-change.ts";
import { listHaltablePairs } from "#server/services/halts/halt-scope.ts";
import { refusePayment, releasePayment } from "#server/services/holds/decide-hold.ts";
import { type HeldPayment, type KeptVerdict, type PaymentHold, readChecks, readHeldPayments } from "#server/services/holds/read-holds.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { done } from "./done.ts";
import { limitInput } from "./limit-input.ts";

const owner = { purpose: z.enum(HELD_PURPOSES), owner_id: plainText(1, 64) };
const order = operatorProcedure("administer");

/** Held payments, and the limits that hold them: every operator may read them, an admin with a recent step-up decides. */
export const exposureRouter = router({
  held: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { held, total } = await readHeldPayments(services);
    return { held: held.map(renderHeld), total };
  }),

  limits: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { limits, replaced } = await readLimits(services);
    return { limits: limits.map(renderLimit), replaced: replaced.map(renderLimit), pairs: await listHaltablePairs(services) };
  }),

  /** Dry runs: what the change would have stopped in the last 30 days; null where that cannot be known. */
  tryHalt: operatorProcedure()
    .input(fromWire({ lane_kind: z.enum(HALT_SCOPE_KINDS), lane_key: plainText(1, 128) }))
    .query(async ({ ctx: { services }, input: { laneKind, laneKey } }) => {
      if (laneKind === "partner" && !isUuid(laneKey)) return { effect: null };
      return { effect: renderEffect(await tryChange(services, { halt: { kind: laneKind, key: laneKey } })) };
    }),

  tryLimit: operatorProcedure()
    .input(fromWire(limitInput))
    .query(async ({ ctx: { services }, input: { id: _id, ...written } }) => {
      const limit = readLimit(written);
      return { effect: faultsOfLimit(limit).length > 0 ? null : renderEffect(await tryChange(services, { limit })) };
    }),

  tryProposal: operatorProcedure()
    .input(z.strictObject({ id: plainText(1, 64) }))
    .query(async ({ ctx: { services }, input: { id } }) => ({ effect: renderEffect(await tryProposal(services, id)) })),

  checks: operatorProcedure()
    .input(fromWire({ owner_id: owner.owner_id }))
    .query(async ({ ctx: { services }, input }) => {
      const { verdicts, holds } = await readChecks(services, input.ownerId);
      return { verdicts: verdicts.map(renderVerdict), holds: holds.map(renderHold) };
    }),

  /** `proposed`, here and below: another person has to confirm it. */
  release: order.input(fromWire({ ...owner, reason: plainText(8, 1_000) })).mutation(async ({ ctx: { services, by }, input }) => ({
    proposed: !(await releasePayment(services, { by, ...input })),
  })),

  /** The partner reads the reason. */
  refuse: order
    .input(fromWire({ ...owner, reason: plainText(8, 500) }))
    .mutation(({ ctx: { services, by }, input }) => done(refusePayment(services, { by, ...input, onFinal: completeOwner }))),

  setLimit: order
    .input(fromWire({ ...limitInput, expected_version: z.int().min(0), reason: plainText(8, 1_000) }))
    .mutation(async ({ ctx: { services, by }, input: { id, expectedVersion, reason, ...written } }) => {
      const { result } = await setLimit(services, { by, id, expectedVersion, reason, terms: readLimit(written) });
      return { proposed: result === null };
    }),
});

function renderEffect(effect: PastEffect | null) {
  return effect && { ...toWire(effect, "payments", "partners", "examined", "isSample"), sums: sumByCurrency(effect.sums) };
}

function renderHeld(held: HeldPayment) {
  const { amountBase, tokenDecimals } = held;
  return {
    ...toWire(held, "id", "purpose", "ownerId", "check", "reason", "heldAt", "currency", "recipient", "partnerName"),
    amount: tokenAmount(amountBase, tokenDecimals),
  };
}

function renderHold(hold: PaymentHold) {
  const { decision } = hold;
  return {
    ...toWire(hold, "id", "purpose", "check", "reason", "heldAt", "outcome"),
    decision: decision && { at: instant(decision.at), by: decision.by?.name ?? null, reason: decision.reason },
  };
}

function renderVerdict({ findings, ...verdict }: KeptVerdict) {
  return { ...toWire(verdict, "id", "check", "stage", "outcome", "at"), findings: findings.map(renderFinding) };
}

function renderFinding({ key, version, outcome, dryRun, words, facts }: Finding) {
  const members = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [{ name, value: String(value) }]));
  return { key, version, outcome, dry_run: dryRun, words, facts: members };
}

function renderLimit(limit: Limit) {
  const { windowSeconds, waitSeconds, amountAtto, addresses } = limit;
  return {
    ...toWire(
      limit,
      "id",
      "version",
      "kind",
      "mode",
      "purpose",
      "partnerId",
      "sourceCurrency",
      "destinationCurrency",
      "chain",
      "countedBy",
    ),
    ...toWire(limit, "timesMaximum", "reason", "madeAt"),
    by_default: limit.madeBy === null,
    window: windowSeconds === null ? null : windowSeconds === HOUR_SECONDS ? ("hour" as const) : ("day" as const),
    wait_hours: waitSeconds === null ? null : waitSeconds / HOUR_SECONDS,
    amount: amountAtto === null ? null : fromAtto(amountAtto),
    addresses: addresses === null ? null : [...addresses],
  };
}
