import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { hintsFound } from "#db/queries/approval-policy/hints.ts";
import { type AskedLimit, type LimitsRow, telling, toLimit } from "#db/queries/exposure/ask-limits.ts";
import { expectsLimits, limitsInForce, rememberLimits } from "#db/queries/exposure/in-force.ts";
import type { PricingKey } from "#db/queries/rates/pair-terms.ts";
import { statement } from "#db/statement.ts";
import { hintsAsked, type PolicyRule, readRule } from "#domain/approval-policy.ts";
import type { PolicyHint, WrittenRule } from "#domain/policy-rule.ts";

/** The quote to be, with its caller and recipient. */
export type Quoting = PricingKey & { apiKeyId: string; recipient: string; externalMerchantId: string; sourceAmountMinor: bigint };

/** What a quote may have to wait for: the limits that concern it, and the approval policy in force with what was found of its hints. */
export type QuoteConditions = {
  limits: AskedLimit[];
  policy: { id: string; version: number; rules: readonly PolicyRule[]; hints: PolicyHint[] } | null;
};

type Row = { n: number; limits: LimitsRow[] | null; hints: PolicyHint[] } & (
  | { policy_id: string; policy_version: number; rules: WrittenRule[] | null }
  | { policy_id: null; policy_version: null; rules: null }
);

/**
 * A hint for the planner that is always true. Without it, it expects a hundred quotes, and the estimated cost of this statement, which
 * reads up to a thousand settlements for each, is so high that PostgreSQL compiles it. With it the planner expects one.
 */
const EXPECTING_ONE = sql`where n between 0 and 1000000`;

/** The quote to be. Its price is still unknown, and not part of what limits need. */
const quoting = (asked: SQL) => sql`
  select q.n::text as owner_id, 'settlement' as purpose, q.partner_id, null::uuid as member_id, q.source_currency, q.destination_currency, q.chain, q.recipient,
    0::numeric as amount_base, 0 as token_decimals, 0::numeric as source_amount_minor, 0::numeric as exchange_rate, null::text as pair_terms_id,
    null::text as wallet_id, q.api_key_id
  from jsonb_to_recordset(${asked}::text::jsonb) as q(n int, partner_id uuid, source_currency text, destination_currency text, chain text,
    recipient text, api_key_id uuid) ${EXPECTING_ONE}`;

/** Sends the policy's rules only to a process that does not have them: `known` is its cached version. */
const asking = statement<{ asked: string; known: string }, Row>(
  (param, layout) => sql`
    select q.n, l.limits, p.id as policy_id, p.version as policy_version, case when p.id <> ${param("known")}::text then p.rules end as rules,
      case when p.hints <> '{}' then ${hintsFound(sql`p.hints`, layout)} else '{}' end as hints
    from (select r.*, null::text as id, business_now() as at from jsonb_to_recordset(${param("asked")}::text::jsonb)
      as r(n int, partner_id uuid, merchant text, wallet text, amount_minor bigint, currency text, api_key_id uuid) ${EXPECTING_ONE}) as q
    left join (select t.owner_id, jsonb_agg(to_jsonb(t) order by t.id) as limits from (${telling(quoting(param("asked")), layout)}) as t group by t.owner_id) as l
      on l.owner_id = q.n::text
    left join (select * from approval_policies order by version desc limit 1) as p on true`,
);

/** The versions cached in this process. They never change, and have unique ids. */
const known = new Map<string, { version: number; rules: readonly PolicyRule[] }>();
let newest = "";
const MOST_KNOWN = 100;

/** The conditions of a quote that are read with its basis. */
export type ConditionsInForce = { isLimited: boolean; policyId: string | null };
export const conditionsInForce = () =>
  sql`${limitsInForce()} as "isLimited", (select id from approval_policies order by version desc limit 1) as "policyId"`;

/** Whether to read conditions together with the basis, without waiting to learn that there are any. */
export function expectsConditions(partnerId: string): boolean {
  return expectsLimits(partnerId) || hintsAsked(known.get(newest)?.rules ?? []).length > 0;
}

/** The conditions, if there is nothing to read; null: they must be read. */
export function conditionsOf(partnerId: string, { isLimited, policyId }: ConditionsInForce): QuoteConditions | null {
  rememberLimits(partnerId, isLimited);
  if (isLimited) return null;
  if (policyId === null) return { limits: [], policy: null };
  const policy = known.get(policyId);
  return policy === undefined || hintsAsked(policy.rules).length > 0
    ? null
    : { limits: [], policy: { id: policyId, ...policy, hints: [] } };
}

/**
 * Of each quote, in one statement: changes take effect with the very next request of every process. It locks nothing: a quote counts for
 * nothing yet.
 */
export async function askQuoteConditions(db: Database, quoting: readonly Quoting[]): Promise<QuoteConditions[]> {
  const rows = new Map((await asking(db, { asked: JSON.stringify(quoting.map(askedOf)), known: newest })).map((row) => [row.n, row]));
  return quoting.map((_, n) => {
    const row = rows.get(n);
    return { limits: (row?.limits ?? []).map(toLimit), policy: row === undefined ? null : policyOf(row) };
  });
}

function askedOf(quoting: Quoting, n: number) {
  const { partnerId, sourceCurrency, destinationCurrency, chain, recipient, apiKeyId, ...more } = quoting;
  return {
    n,
    partner_id: partnerId,
    source_currency: sourceCurrency,
    destination_currency: destinationCurrency,
    chain,
    recipient,
    api_key_id: apiKeyId,
    merchant: more.externalMerchantId,
    wallet: recipient,
    currency: sourceCurrency,
    amount_minor: more.sourceAmountMinor.toString(),
  };
}

function policyOf({ policy_id: id, policy_version: version, rules: param, hints }: Row): QuoteConditions["policy"] {
  if (id === null) return null;
  const rules = known.get(id)?.rules ?? param?.map(readRule);
  if (rules === undefined) throw new Error(`the rules of the policy ${id} are missing`);
  known.set(id, { version, rules });
  for (const oldest of known.size > MOST_KNOWN ? [...known.keys()].slice(0, 1) : []) known.delete(oldest);
  newest = id;
  return { id, version, rules, hints };
}
