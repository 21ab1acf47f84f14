import type { Database } from "#db/client.ts";
import {
  type LiftedScope,
  listLimitsInForce,
  listPolicyVersions,
  listTermsById,
  type RuledPayment,
  type RulesInForce,
  readRulesInForce,
} from "#db/queries/proposals/rules-in-force.ts";
import type { Limit } from "#domain/exposure-limit.ts";
import { type Accepted, areTermsSigned, isLiftSigned, isLimitSigned, unsignedPeriod } from "#domain/rules-in-force.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import { readSignedRules, type VerifiedRules } from "#server/services/proposals/signed-rules.ts";

type Powers = Uses<"passkeys" | "policy" | "mode" | "clock">;

/** A payment, and the address of the wallet that pays it. */
export type PaidBy = { transfer: Transfer; wallet: string };
/** By the payment's id, which unsigned rule concerns it. */
export type FindUnsignedRules = (db: Database, payments: readonly PaidBy[]) => Promise<ReadonlyMap<string, string>>;

/** Why a rule does not count, and which payments wait for that. */
type Fault = { reason: string; concerns(payment: Ruled): boolean };
type Ruled = PaidBy & { named: RuledPayment };
/** What was verified: by their keys, the versions that never change. */
type Known = { limits: Set<string>; policies: Set<number>; lifts: Set<string>; terms: Set<string>; verified: VerifiedRules };
type Read = Powers & { db: Database; accepted: Accepted; known: Known };

const UNNAMED = "and the signer's settings do not accept it.";

/**
 * Verifies in live mode that people have signed the rules that hold for payments: limits, the maxima of pairs, the approval policy, and lifts of
 * halts. A row alone widens nothing (docs/decisions/signed-rules.md). Each version is verified once; afterwards one statement asks which versions
 * are in force.
 */
export function findUnsignedRules(ctx: Powers, accepted: Accepted): FindUnsignedRules {
  const known: Known = { limits: new Set(), policies: new Set(), lifts: new Set(), terms: new Set(), verified: new Map() };
  return async (db, payments) => {
    if (ctx.mode !== "live" || ctx.policy.signedApprovals === null || payments.length === 0) return new Map();
    const read = { ...ctx, db, accepted, known };
    const unsigned = await findUnsigned(read, payments);
    // People may have decided between two statements: only what is found twice counts.
    return unsigned.size === 0 ? unsigned : await findUnsigned(read, payments);
  };
}

async function findUnsigned(ctx: Read, payments: readonly PaidBy[]): Promise<Map<string, string>> {
  const transferIds = payments.map(({ transfer }) => transfer.id);
  const inForce = await readRulesInForce(ctx.db, { transferIds, knownLifts: [...ctx.known.lifts] });
  const faults = [
    ...(await liftFaults(ctx, inForce)),
    ...(await limitFaults(ctx, inForce)),
    ...(await policyFaults(ctx, inForce)),
    ...(await termsFaults(ctx, inForce)),
  ];
  const named = new Map(inForce.payments.map((payment) => [payment.id, payment]));
  const unsigned = new Map<string, string>();
  for (const payment of payments) {
    const { id } = payment.transfer;
    const ruled = { ...payment, named: named.get(id) ?? { id, quotedAt: null, pair: null, termsIds: [] } };
    const fault = faults.find(({ concerns }) => concerns(ruled));
    if (fault !== undefined) unsigned.set(id, fault.reason);
  }
  return unsigned;
}

async function liftFaults(ctx: Read, { lifts }: RulesInForce): Promise<Fault[]> {
  if (lifts.length === 0) return [];
  const signed = await readSignedRules(ctx, "lane_lift", ctx.known.verified);
  const unsigned = lifts.filter((halt) => !isLiftSigned(halt, signed, ctx.accepted));
  for (const halt of lifts) if (!unsigned.includes(halt)) ctx.known.lifts.add(halt.id);
  return unsigned.map((halt) => ({
    reason: `No passkey has signed the lift of the halt ${halt.id}, ${UNNAMED}`,
    concerns: (payment) => isWithin(halt, payment),
  }));
}

function isWithin({ scopeKind, scopeKey, wallet: halted }: LiftedScope, { transfer, named, wallet }: Ruled): boolean {
  switch (scopeKind) {
    case "chain":
      return transfer.chain === scopeKey;
    case "wallet":
      return halted === null || halted === `${transfer.chain} ${wallet.toLowerCase()}`;
    case "partner":
      return transfer.partnerId === scopeKey;
    case "pair":
      return named.pair === scopeKey;
    default:
      return true;
  }
}

async function limitFaults(ctx: Read, { limits }: RulesInForce): Promise<Fault[]> {
  if (limits.every((key) => ctx.known.limits.has(key))) return [];
  const signed = await readSignedRules(ctx, "exposure_limit", ctx.known.verified);
  const faults: Fault[] = [];
  for (const limit of await listLimitsInForce(ctx.db)) {
    if (isLimitSigned(limit, signed, ctx.accepted)) ctx.known.limits.add(`${limit.id} ${limit.version}`);
    else
      faults.push({
        reason: `No passkey has signed version ${limit.version} of the limit ${limit.id}, ${UNNAMED}`,
        concerns: ({ transfer }) => isLimited(limit, transfer),
      });
  }
  return faults;
}

/** What a limit calls the purpose of a payment that it may hold; others move nothing that it counts. */
const LIMITED: Partial<Record<Transfer["purpose"], Limit["purpose"]>> = {
  settlement: "settlement",
  topup: "topup",
  sweep: "withdrawal",
  return: "return",
};

function isLimited({ purpose, partnerId, destinationCurrency, chain }: Limit, transfer: Transfer): boolean {
  const concern = LIMITED[transfer.purpose];
  const pairs = [
    [purpose, concern],
    [partnerId, transfer.partnerId],
    [destinationCurrency, transfer.currency],
    [chain, transfer.chain],
  ];
  return concern !== undefined && pairs.every(([named, is]) => named === null || named === is);
}

async function policyFaults(ctx: Read, { policies }: RulesInForce): Promise<Fault[]> {
  const unknown = policies.filter((version) => !ctx.known.policies.has(version));
  if (unknown.length === 0) return [];
  const signed = await readSignedRules(ctx, "approval_policy", ctx.known.verified);
  const faults: Fault[] = [];
  for (const policy of await listPolicyVersions(ctx.db, unknown)) {
    const period = unsignedPeriod(policy, signed, ctx.accepted);
    if (period === null) ctx.known.policies.add(policy.version);
    else
      faults.push({
        reason: `No passkey has signed version ${policy.version} of the approval policy, ${UNNAMED}`,
        concerns: ({ named: { quotedAt } }) => quotedAt !== null && isIn(period, quotedAt),
      });
  }
  return faults;
}

function isIn({ from, to }: { from: Date | null; to: Date | null }, at: Date): boolean {
  return (from === null || at >= from) && (to === null || at < to);
}

async function termsFaults(ctx: Read, { payments }: RulesInForce): Promise<Fault[]> {
  const unknown = new Set(payments.flatMap(({ termsIds }) => termsIds).filter((id) => !ctx.known.terms.has(id)));
  if (unknown.size === 0) return [];
  const signed = await readSignedRules(ctx, "pair_terms", ctx.known.verified);
  const faults: Fault[] = [];
  for (const terms of await listTermsById(ctx.db, [...unknown])) {
    if (areTermsSigned(terms, signed, ctx.accepted)) ctx.known.terms.add(terms.id);
    else
      faults.push({
        reason: `No passkey has signed the maximum of ${terms.sourceCurrency} to ${terms.destinationCurrency} on ${terms.chain} in version ${terms.version} of its terms, ${UNNAMED}`,
        concerns: ({ named }) => named.termsIds.includes(terms.id),
      });
  }
  return faults;
}
