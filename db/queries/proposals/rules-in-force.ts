import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { among } from "#db/rows.ts";
import { approvalPolicies } from "#db/schema/approval-policies.ts";
import { decisionSignatures, passkeyKeys } from "#db/schema/decision-signatures.ts";
import { exposureLimits } from "#db/schema/exposure.ts";
import { proposals } from "#db/schema/proposals.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { scopeHalts } from "#db/schema/scope-halts.ts";
import type { Limit } from "#domain/exposure-limit.ts";
import type { PairTerms } from "#domain/pair-terms.ts";
import type { LiftedHalt, PolicyVersion, RuleKind } from "#domain/rules-in-force.ts";
import { KEY, KEY_OF_ITS_PERSON, type KeptSignature } from "./decision-signatures.ts";

/** A payment with what rules know it by. `pair`: its settlement's, as the key of a halt. `termsIds`: those that its price and its first quote name. */
export type RuledPayment = {
  id: string;
  /** When its settlement was quoted; null: it is of none. */
  quotedAt: Date | null;
  pair: string | null;
  termsIds: string[];
};
/** A lifted halt. `wallet`: the chain and address of the wallet that was halted, in lower case. */
export type LiftedScope = LiftedHalt & { wallet: string | null };
/** The rules that concern payments now, by their keys. */
export type RulesInForce = { limits: string[]; policies: number[]; lifts: LiftedScope[]; payments: RuledPayment[] };

type Row = {
  limits: string[];
  policies: number[];
  lifts: { id: string; kind: string; key: string; since: string; wallet: string | null }[];
  payments: { id: string; quoted_at: string | null; pair: string | null; terms: (string | null)[] }[];
};

/**
 * What holds for these payments, in one statement: the versions of limits and of the policy, the lifted halts but for those that are known, and
 * which terms each payment names. What the versions say is read once for each ({@link listLimitsInForce} and the others).
 */
export async function readRulesInForce(
  db: Database,
  { transferIds, knownLifts }: { transferIds: readonly string[]; knownLifts: readonly string[] },
): Promise<RulesInForce> {
  const [row] = await db.execute<Row>(sql`select
    coalesce((select jsonb_agg(l.id || ' ' || l.version) from exposure_limits l where ${HOLDS_PAYMENTS}), '[]') as limits,
    coalesce((select jsonb_agg(p.version) from approval_policies p), '[]') as policies,
    coalesce((select jsonb_agg(jsonb_build_object('id', h.id, 'kind', h.lane_kind, 'key', h.lane_key, 'since', h.since, 'wallet',
        (select w.chain || ' ' || lower(w.address) from wallets w where h.lane_kind = 'wallet' and w.id::text = h.lane_key)))
      from lane_halts h where h.lifted_at is not null and h.lane_kind <> 'provider'
        and not h.id in (select jsonb_array_elements_text(${JSON.stringify(knownLifts)}::jsonb))), '[]') as lifts,
    coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'quoted_at', s.created_at,
        'pair', case when s.id is not null then concat_ws(' ', s.source_currency, s.destination_currency, s.chain) end,
        'terms', jsonb_build_array(s.pair_terms_id, q.pair_terms_id, w.pair_terms_id, u.pair_terms_id)))
      from transfers t
      left join settlements s on t.purpose = 'settlement' and s.id = t.owner_id and of_partner(s.partner_id, t.partner_id)
      left join settlement_quotes q on q.settlement_id = s.id and q.version = 1 and of_partner_or_unsaid(q.partner_id, s.partner_id)
      left join withdrawals w on t.purpose in ('sweep', 'return') and w.id = t.owner_id and of_partner(w.partner_id, t.partner_id)
      left join topups u on t.purpose = 'topup' and u.id = t.owner_id and of_partner(u.partner_id, t.partner_id)
      where t.id = any(array(select jsonb_array_elements_text(${JSON.stringify(transferIds)}::jsonb)))), '[]') as payments`);
  const { limits = [], policies = [], lifts = [], payments = [] } = row ?? {};
  return {
    limits,
    policies,
    lifts: lifts.map(({ kind, key, since, ...lift }) => ({ ...lift, scopeKind: kind, scopeKey: key, since: new Date(since) })),
    payments: payments.map(({ quoted_at, terms, ...payment }) => ({
      ...payment,
      quotedAt: quoted_at === null ? null : new Date(quoted_at),
      termsIds: [...new Set(terms.filter((id) => id !== null))],
    })),
  };
}

/** Those that only record hold nothing, and those of open quotes refuse quotes. */
const HOLDS_PAYMENTS = sql`l.replaced_at is null and l.mode <> 'dry_run' and l.kind not in ('open_quotes', 'open_loss')`;

/** The limits in force that hold payments. */
export async function listLimitsInForce(db: Database): Promise<Limit[]> {
  const { id, version, mode, kind, replacedAt } = exposureLimits;
  const rows = await db
    .select()
    .from(exposureLimits)
    .where(and(isNull(replacedAt), sql`${mode} <> 'dry_run'`, sql`${kind} not in ('open_quotes', 'open_loss')`))
    .orderBy(id, version);
  return rows.map(({ replacedAt: _, ...limit }) => limit);
}

export async function listPolicyVersions(db: Database, versions: readonly number[]): Promise<PolicyVersion[]> {
  const { version, rules } = approvalPolicies;
  return await db
    .select({ version, rules })
    .from(approvalPolicies)
    .where(inArray(version, [...versions]));
}

export async function listTermsById(db: Database, ids: readonly string[]): Promise<PairTerms[]> {
  return await db.select().from(pairTerms).where(among(pairTerms.id, ids));
}

/** The ids of the terms that what is not yet paid names: settlements on their way or with an approval, and orders. */
export async function listTermsInUse(db: Database): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select s.pair_terms_id as id from settlements s where s.status = 'processing' or (s.status = 'quoted' and s.approval_state is not null)
    union select q.pair_terms_id from settlements s join settlement_quotes q on q.settlement_id = s.id and q.version = 1
      and of_partner_or_unsaid(q.partner_id, s.partner_id) where s.status = 'processing' or (s.status = 'quoted' and s.approval_state is not null)
    union select t.pair_terms_id from topups t where t.step in ('collecting', 'sending')
    union select w.pair_terms_id from withdrawals w where w.step not in ('paid', 'released', 'returned', 'unreturned')`);
  return rows.map(({ id }) => id);
}

/** The lifts of halts that concern payments. */
export async function listLifts(db: Database): Promise<LiftedHalt[]> {
  const { id, scopeKind, scopeKey, since, liftedAt } = scopeHalts;
  return await db
    .select({ id, scopeKind, scopeKey, since })
    .from(scopeHalts)
    .where(and(sql`${liftedAt} is not null`, sql`${scopeKind} <> 'provider'`))
    .orderBy(since, id);
}

/** Every signature with which somebody confirmed a rule of this kind, with its key. People decide on rules rarely. */
export async function listRuleSignatures(db: Database, kind: RuleKind): Promise<KeptSignature[]> {
  const rows = await db
    .select({ signature: decisionSignatures, key: KEY })
    .from(proposals)
    .innerJoin(decisionSignatures, and(eq(decisionSignatures.objectId, proposals.id), eq(decisionSignatures.action, "proposal.confirm")))
    .leftJoin(passkeyKeys, KEY_OF_ITS_PERSON)
    .where(eq(proposals.kind, kind));
  return rows.map(({ signature, key }) => ({ ...signature, key }));
}
