import { approvalPolicyBody, exposureLimitBody, haltLiftBody, pairTermsBody } from "#contract/proposal-bodies.ts";
import { toInside } from "#contract/wire.ts";
import type { KeptSignature } from "#db/queries/proposals/decision-signatures.ts";
import { listRuleSignatures } from "#db/queries/proposals/rules-in-force.ts";
import type { LimitTerms } from "#domain/exposure-limit.ts";
import type { RuleKind, SignedRule, SignedRules } from "#domain/rules-in-force.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";
import { verifySignature } from "./verify-signature.ts";

type Powers = Uses<"db" | "passkeys" | "clock">;
/** What was verified of signatures before, by their ids; null: it signs no rule. */
export type VerifiedRules = Map<string, SignedRule | null>;

/**
 * What second people's passkeys have signed of the rules of a kind. No row is believed but the register's key: what was signed is in the record.
 * A passkey that is younger than a day counts later.
 */
export async function readSignedRules<Kind extends RuleKind>(ctx: Powers, kind: Kind, verified: VerifiedRules): Promise<SignedRules<Kind>> {
  const old = ctx.clock.now().getTime() - OLD_ENOUGH_MS;
  const kept = (await listRuleSignatures(ctx.db, kind)).filter(({ key }) => key !== null && key.registeredAt.getTime() <= old);
  for (const one of kept) if (!verified.has(one.id)) verified.set(one.id, await ruleIn(ctx, one));
  const rules = kept.map(({ id }) => verified.get(id) ?? null);
  return rules.filter((rule): rule is Extract<SignedRule, { kind: Kind }> => rule?.kind === kind);
}

/** The rule of a record that somebody else than its proposer has signed; null: of no rule. */
async function ruleIn(ctx: Uses<"passkeys">, one: KeptSignature): Promise<SignedRule | null> {
  const found = await verifySignature(ctx, one);
  if ("fault" in found) return null;
  const { subject, person, facts, asked_at: askedAt } = found.record;
  if (subject !== one.objectId || facts.proposed_by === `user:${person}`) return null;
  return readRule(facts.kind as RuleKind, facts.body, new Date(askedAt));
}

function readRule(kind: RuleKind, body: unknown, signedAt: Date): SignedRule | null {
  switch (kind) {
    case "exposure_limit": {
      const read = exposureLimitBody.safeParse(body);
      return read.success ? { kind, id: read.data.id, version: read.data.expected_version + 1, terms: limitTermsOf(read.data) } : null;
    }
    case "pair_terms": {
      const read = pairTermsBody.safeParse(body);
      if (!read.success) return null;
      const { sourceCurrency, destinationCurrency, chain, partnerId, expectedVersion, withdrawn, ...terms } = toInside(read.data);
      const whole = (text: string | null = null) => (text === null ? null : BigInt(text));
      const thresholds = {
        maximumSourceMinor: BigInt(terms.maximumSourceMinor),
        twoApprovalsAboveMinor: whole(terms.twoApprovalsAboveMinor),
        batchMaximumSourceMinor: whole(terms.batchMaximumSourceMinor),
      };
      const owner = { sourceCurrency, destinationCurrency, chain, partnerId };
      return { kind, owner, version: expectedVersion + 1, isWithdrawn: withdrawn, thresholds };
    }
    case "approval_policy": {
      const read = approvalPolicyBody.safeParse(body);
      return read.success ? { kind, version: read.data.expected_version + 1, rules: read.data.rules, signedAt } : null;
    }
    case "lane_lift": {
      const read = haltLiftBody.safeParse(body);
      return read.success ? { kind, haltId: read.data.halt_id, scopeKind: read.data.lane, scopeKey: read.data.key, signedAt } : null;
    }
    default:
      return null;
  }
}

/** What a proposed limit says. */
export function limitTermsOf({ id: _id, expected_version: _version, ...body }: ReturnType<typeof exposureLimitBody.parse>): LimitTerms {
  const { amountAtto, ...terms } = toInside(body);
  return { purpose: null, ...terms, amountAtto: amountAtto === null ? null : BigInt(amountAtto) };
}
