import { approvalPolicyBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { findPolicyInForce, insertPolicy, listOperatorPeople } from "#db/queries/approval-policy/policies.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { listFloors } from "#db/queries/rates/pair-terms-lists.ts";
import { actorId, type By } from "#domain/access.ts";
import {
  type ApprovalPolicy,
  countsFor,
  describeFaults,
  faultsOfRules,
  type PolicyRule,
  readRule,
  wantedBy,
  writeRule,
} from "#domain/approval-policy.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { newId } from "#domain/ids.ts";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";

type Body = ReturnType<typeof approvalPolicyBody.parse>;

/** In live mode two people change the approval policy: otherwise one person could remove every approval. */
export const APPROVAL_POLICY: ProposalKind<Body, ApprovalPolicy, Uses<"chains">> = {
  kind: "approval_policy",
  isSigned: true,
  permission: "administer",
  schema: approvalPolicyBody,
  show: (body) => body,
  carryOut: (ctx, { by, body, reason }) =>
    ctx.db.transaction((tx) =>
      put({ ...ctx, db: tx }, { by, rules: body.rules, expectedVersion: body.expected_version, reason: reason ?? "" }),
    ),
};

export type SetPolicy = {
  by: By;
  /** In their order; empty: the policy asks for nothing. */
  rules: readonly WrittenRule[];
  /** The version that was on the screen; 0: there was none. */
  expectedVersion: number;
  reason: string;
};

/**
 * Puts a version of the approval policy in force: it counts on the very next quote, and changes nothing for what is quoted already. It only
 * adds to what the pairs' terms ask. In live mode a second person confirms it first.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `validation_failed` with every fault, `conflict` when it has changed since it was read, or
 *   a change of it is proposed already
 */
export async function setPolicy(ctx: Uses<"db" | "clock" | "chains" | "mode">, command: SetPolicy): Promise<Proposed<ApprovalPolicy>> {
  refuseUnlessAdministrator(command.by, ctx.clock.now());
  const { by, rules, expectedVersion, reason } = command;
  await refuseFaults(ctx, rules.map(readRule));
  await readExpected(ctx.db, expectedVersion);
  const body = { expected_version: expectedVersion, rules: rules.map((rule) => ({ ...rule })) };
  return await propose(ctx, APPROVAL_POLICY, { by, subject: "all settlements", body, reason });
}

async function put(ctx: Uses<"db" | "chains">, { by, rules: written, expectedVersion, reason }: SetPolicy): Promise<ApprovalPolicy> {
  const rules = written.map(readRule);
  await refuseFaults(ctx, rules);
  const before = await readExpected(ctx.db, expectedVersion);
  const now = await readBusinessNow(ctx.db);
  const version = expectedVersion + 1;
  const id = newId("approvalPolicy", now);
  const policy: ApprovalPolicy = { id, version, rules, reason, madeBy: actorId(by.actor), madeAt: now };
  // Somebody else may be saving at the same time: only one gets the number.
  if (!(await insertPolicy(ctx.db, policy))) throw changedMeanwhile(version);
  const rulesOf = (each: readonly PolicyRule[]) => each.map(writeRule);
  const change = { version, before: before && rulesOf(before.rules), after: rulesOf(rules) };
  await insertAuditEntry(ctx.db, { by, partnerId: null, action: "approval_policy.set", objectId: String(version), reason, change, now });
  return policy;
}

async function readExpected(db: Database, expected: number): Promise<ApprovalPolicy | null> {
  const current = await findPolicyInForce(db);
  if ((current?.version ?? 0) !== expected) throw changedMeanwhile(current?.version ?? 0);
  return current;
}

function changedMeanwhile(current: number): Refusal {
  return new Refusal("conflict", { detail: "The policy has changed since it was read.", members: { current_version: current } });
}

/**
 * Refuses rules that contradict each other, name missing objects, or could never be fulfilled: those would make everything wait until it
 * expires.
 */
export async function refuseFaults(ctx: Uses<"db" | "chains">, rules: readonly PolicyRule[]): Promise<void> {
  const errors: Fault[] = faultsOfRules(rules).map(({ pointer, message }) => ({ pointer, code: "invalid", message }));
  const people = await listOperatorPeople(ctx.db);
  const terms = await listFloors(ctx.db);
  const electors = people.flatMap(({ id, role, isIn }) => (isIn ? [{ principal: id, role }] : []));
  for (const [place, rule] of rules.entries()) {
    const must = (holds: boolean, field: string, message: string) =>
      void (holds || errors.push({ pointer: `/rules/${place}/${field}`, code: "invalid", message }));
    const { partnerId, sourceCurrency, destinationCurrency, chain, who } = rule;
    const isKnown = partnerId === null || (isUuid(partnerId) && (await findPartner(ctx.db, partnerId)) !== null);
    must(isKnown, "partner_id", "There is no such partner.");
    must(sourceCurrency === null || findFiatCurrency(sourceCurrency) !== null, "source_currency", "There is no such currency.");
    must(chain === null || ctx.chains.find(chain) !== null, "chain", "Nothing is paid on this chain.");
    const isPaid = destinationCurrency === null || isPaidAnywhere(ctx, destinationCurrency, chain);
    must(isPaid, "destination_currency", "This token is not paid out.");
    const wanted = wantedBy(rule, terms);
    const above = wanted > rule.approvals ? `Above a second threshold ${wanted} must say yes` : `${wanted} must say yes`;
    if (who.kind === "people") {
      const fit = who.people.every((id) => electors.some((each) => each.principal === id && countsFor(who, each)));
      must(fit, "people", "Each of them must be one of the operator's people who decides.");
      must(who.people.length >= wanted, "people", `${above}: name as many, or let the rule's amount end before.`);
      continue;
    }
    const many = electors.filter((each) => countsFor(who, each)).length;
    must(many >= wanted, "approvals", `${above}, and there are only ${many} people who could.`);
  }
  if (errors.length > 0) throw new Refusal("validation_failed", { errors, detail: describeFaults(rules, errors) });
}

function isPaidAnywhere({ chains }: Uses<"chains">, currency: string, only: string | null): boolean {
  return chains
    .list()
    .some(({ chain, tokens }) => (only === null || only === chain) && tokens.some((token) => token.currency === currency));
}
