import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { approvalRule } from "#contract/proposal-bodies.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { type ApprovalPolicy, type Demand, type TermsFloor, wantedBy, writeRule } from "#domain/approval-policy.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { MOST_RULES } from "#domain/policy-rule.ts";
import { mayLag, operatorProcedure, router } from "#server/console/trpc/init.ts";
import { countAble, type NamedPerson, readDemand, readPolicies } from "#server/services/approval-policy/read-policy.ts";
import { setPolicy } from "#server/services/approval-policy/set-policy.ts";
import { type Tried, tryPolicy } from "#server/services/approval-policy/try-policy.ts";

const rules = z.array(approvalRule).max(MOST_RULES);
const order = operatorProcedure("administer");
/** Where the next part of a trial begins. */
const place = z.strictObject({ created_at: z.iso.datetime({ precision: 3 }), id: plainText(1, 64), seen: z.int().min(0) });
/** The most rows that a part of a trial returns; counts and sums cover all. */
const ROWS_SHOWN = 50;

/**
 * Which settlements need approval, in addition to the pairs' terms: every operator may read it, an admin with a recent step-up may change
 * it.
 */
export const approvalPolicyRouter = router({
  read: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { versions, people, terms } = await readPolicies(services);
    return {
      versions: versions.map((version) => renderPolicy(version, people, terms)),
      people: people.map((each) => toWire(each, "id", "name", "role", "isIn")),
    };
  }),

  /** What the policy at the time required for a settlement; null: nothing. */
  demand: operatorProcedure()
    .input(fromWire({ tx_id: plainText(1, 64) }))
    .query(async ({ ctx: { services }, input }) => {
      const demand = await readDemand(services, input.txId);
      return demand && renderDemand(demand);
    }),

  /** A read, but not a query, because a draft is too long for a URL. */
  try: order
    .meta({ stepUp: false, reads: true })
    .use(mayLag)
    .input(z.strictObject({ rules, from: z.iso.datetime(), to: z.iso.datetime(), after: place.nullable() }))
    .mutation(async ({ ctx: { services, by }, input }) => {
      const after = input.after && { id: input.after.id, seen: input.after.seen, createdAt: new Date(input.after.created_at) };
      const trial = await tryPolicy(services, { by, rules: input.rules, from: new Date(input.from), to: new Date(input.to), after });
      return {
        ...toWire(trial, "examined", "of", "isSample", "moreAsked", "asBefore"),
        next: trial.next && toWire(trial.next, "createdAt", "id", "seen"),
        since: trial.since && instant(trial.since),
        would_wait: renderTried(trial.wouldWait),
        no_longer: renderTried(trial.noLonger),
      };
    }),

  /** `proposed`: another person has to confirm it. */
  set: order
    .input(z.strictObject({ rules, expected_version: z.int().min(0), reason: plainText(8, 1_000) }))
    .mutation(async ({ ctx: { services, by }, input }) => {
      const { result } = await setPolicy(services, {
        by,
        rules: input.rules,
        expectedVersion: input.expected_version,
        reason: input.reason,
      });
      return { proposed: result === null, version: result?.version ?? null };
    }),
});

function renderPolicy(policy: ApprovalPolicy, people: readonly NamedPerson[], terms: readonly TermsFloor[]) {
  return {
    ...toWire(policy, "version", "reason", "madeAt"),
    made_by: people.find(({ id }) => id === policy.madeBy)?.name ?? null,
    rules: policy.rules.map(writeRule),
    /** For each rule, how many people could approve today, and how many it needs. */
    able: policy.rules.map((rule) => ({ able: countAble(rule, people), wanted: wantedBy(rule, terms) })),
  };
}

export function renderDemand({ version, rule, hints }: Demand) {
  return { version, rule: writeRule(rule), hints: [...hints] };
}

/** Their number, their exact sum, and the newest of them. */
function renderTried(tried: readonly Tried[]) {
  const sums = new Map<string, bigint>();
  for (const { sourceCurrency, sourceAmountMinor } of tried) sums.set(sourceCurrency, (sums.get(sourceCurrency) ?? 0n) + sourceAmountMinor);
  const source = [...sums].map(([currency, minor]) => ({ currency, amount: fiatAmount(minor, currency) }));
  return { count: tried.length, source, rows: tried.slice(0, ROWS_SHOWN).map(renderRow) };
}

function renderRow(row: Tried) {
  return {
    ...toWire(row, "id", "createdAt", "partnerName", "externalMerchantId", "sourceCurrency", "destinationCurrency", "needed"),
    source_amount: fiatAmount(row.sourceAmountMinor, row.sourceCurrency),
    destination_amount: tokenAmount(row.destinationAmountBase, row.tokenDecimals),
    rule_id: row.rule?.id ?? null,
  };
}
