import { batchRules } from "#db/queries/audit/rules/batches.ts";
import { callbackRules } from "#db/queries/audit/rules/callbacks.ts";
import { eventRules } from "#db/queries/audit/rules/events.ts";
import { exposureRules } from "#db/queries/audit/rules/exposure.ts";
import { ledgerRules } from "#db/queries/audit/rules/ledger.ts";
import { orderRules } from "#db/queries/audit/rules/orders.ts";
import { requestRules } from "#db/queries/audit/rules/requests.ts";
import {
  type AuditRule,
  type AuditScope,
  type AuditSlice,
  askRule,
  asOfOneInstant,
  type RuleOutcome,
} from "#db/queries/audit/rules/rule.ts";
import { settlementRules } from "#db/queries/audit/rules/settlements.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { endOfSlice } from "#db/queries/audit/slices.ts";
import { layoutOf } from "#db/transaction.ts";
import { type ChainEnd, NO_AUDIT_KEY } from "#domain/audit-key.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { Context, Uses } from "#server/context.ts";
import { Unreachable } from "#server/ports.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { listAnswering } from "./ask-lapsing-nodes.ts";
import { auditChain } from "./audit-chain.ts";
import { auditLapsingChain } from "./audit-lapsing-chain.ts";
import { auditOneBalance } from "./audit-one-balance.ts";
import { auditRecords } from "./audit-records.ts";
import { type AuditReport, auditLogChain, reportOf } from "./audit-report.ts";
import { auditSignatures } from "./audit-signatures.ts";
import { auditTreasury } from "./audit-treasury.ts";
import { auditLapsingTreasury } from "./lapsing-treasury.ts";

/** Optional sources to check against: the chains, the keys that must have signed the audit log, and what verifies passkeys. */
export type Audited = Uses<"db"> & Partial<Pick<Context, "evm" | "lapsing" | "auditKey" | "passkeys">>;

export type AuditOptions = {
  /** Only rows created since then (business time); null or omitted: the whole database. */
  since?: Date | null;
  /** Compares only transfers that ended since then (business time) with the chain; null or omitted: all. */
  endedSince?: Date | null;
  /** Ends of the audit log's chain that were stored elsewhere: the chain must still contain them. */
  anchors?: readonly ChainEnd[];
  /** Rows per table in one slice; default: 2,000. */
  sliceRows?: number;
  /** Rules that a test has broken on purpose. */
  without?: readonly string[];
};

/** How many rows of each table are read at one instant: about a second's work. */
const SLICE_ROWS = 2_000;

/**
 * Checks every rule about money and callbacks over a database and, where given, against chains. It changes nothing. It reads slice by
 * slice, each at one instant, so a busy service causes no violations and no long snapshot blocks others.
 */
export async function auditDatabase(ctx: Audited, options: AuditOptions = {}): Promise<AuditReport> {
  const scope = options.since ?? null;
  const outcomes = await auditRows(ctx, scope, options);
  for (const chain of ctx.evm?.list() ?? []) {
    const answering = await findAnsweringNode(chain);
    if (answering === null) outcomes.push(unproven(chain.chain, SILENT));
    else
      outcomes.push(
        ...(await shownBy(chain.chain, () => auditChain(ctx, answering, { scope, endedSince: options.endedSince ?? null }))),
        ...(await shownBy(chain.chain, async () => [await auditTreasury(ctx, answering)])),
        ...(await shownBy(chain.chain, async () => [await auditOneBalance(ctx, answering)])),
      );
  }
  for (const chain of ctx.lapsing?.list() ?? [])
    outcomes.push(...(await auditLapsing(ctx, chain, { scope, endedSince: options.endedSince ?? null })));
  return reportOf(withoutRepeats(outcomes).filter(({ rule }) => !options.without?.includes(rule)));
}

/** By the first node of the chain that answers. */
async function auditLapsing(
  ctx: Uses<"db">,
  chain: LapsingChain,
  page: { scope: AuditScope; endedSince: Date | null },
): Promise<RuleOutcome[]> {
  const [node] = await listAnswering(chain);
  if (node === undefined) return [unproven(chain.chain, SILENT)];
  return [
    ...(await shownBy(chain.chain, () => auditLapsingChain(ctx, { chain, node }, page))),
    ...(await shownBy(chain.chain, async () => [await auditLapsingTreasury(ctx, { chain, node })])),
  ];
}

/**
 * What a node shows twice. It is asked again where it does not answer. A node that cannot say it, as one that no longer has the block, proves
 * nothing, and the rest is still asked.
 */
async function shownBy(chain: string, ask: () => Promise<RuleOutcome[]>, tries = 2): Promise<RuleOutcome[]> {
  try {
    return await shownTwice(ask);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return tries > 1 ? await shownBy(chain, ask, tries - 1) : [unproven(chain, error.message)];
  }
}

/** Where a node shows violations, it is asked again, and those count that it shows both times: one wrong answer must halt no chain. */
async function shownTwice(ask: () => Promise<RuleOutcome[]>): Promise<RuleOutcome[]> {
  const first = await ask();
  if (first.every(({ violations }) => violations.length === 0)) return first;
  const before = new Set(first.flatMap(({ rule, violations }) => violations.map(({ subject }) => `${rule} ${subject}`)));
  const again = await ask();
  return again.map((outcome) => ({
    ...outcome,
    violations: outcome.violations.filter(({ subject }) => before.has(`${outcome.rule} ${subject}`)),
  }));
}

async function auditRows(
  { db, auditKey: key = NO_AUDIT_KEY, passkeys }: Audited,
  scope: AuditScope,
  { sliceRows = SLICE_ROWS, anchors = [] }: AuditOptions,
): Promise<RuleOutcome[]> {
  const outcomes = new Map<string, RuleOutcome>();
  const layout = layoutOf(db);
  let from = scope;
  for (let more = true; more; ) {
    const to = await endOfSlice(db, from, sliceRows);
    const rules = rulesOf({ from, to }, layout).filter(({ isWhole }) => !isWhole);
    await asOfOneInstant(db, async (tx) => {
      for (const rule of rules) add(outcomes, await askRule(tx, rule));
    });
    from = to;
    more = to !== null;
  }
  for (const rule of rulesOf(scope, layout).filter(({ isWhole }) => isWhole))
    add(outcomes, await asOfOneInstant(db, (tx) => askRule(tx, rule)));
  const signatures = passkeys === undefined ? [] : [await auditSignatures({ db, passkeys }, scope)];
  return [...outcomes.values(), ...(await auditRecords(db, scope)), ...signatures, await auditLogChain(db, scope, { key, anchors })];
}

function rulesOf(scope: AuditScope | AuditSlice, layout: ReturnType<typeof layoutOf>): AuditRule[] {
  return [
    ...settlementRules(scope, layout),
    ...batchRules(scope),
    ...requestRules(scope),
    ...orderRules(scope),
    ...transferRules(scope),
    ...exposureRules(scope),
    ...callbackRules(scope),
    ...eventRules(scope),
    ...ledgerRules(scope),
  ];
}

function add(outcomes: Map<string, RuleOutcome>, { checked, violations, ...rule }: RuleOutcome): void {
  const before = outcomes.get(rule.rule) ?? { ...rule, checked: 0, violations: [] };
  outcomes.set(rule.rule, { ...before, checked: before.checked + checked, violations: [...before.violations, ...violations] });
}

/** What several questions to one chain could not prove for one reason is said once. */
function withoutRepeats(outcomes: readonly RuleOutcome[]): RuleOutcome[] {
  const said = new Set<string>();
  return outcomes.filter(({ rule, violations }) => {
    if (rule !== "chain_was_asked" || violations.length === 0) return true;
    const key = violations.map(({ subject, detail }) => `${subject} ${detail}`).join();
    return said.size !== said.add(key).size;
  });
}

const SILENT = "no node of the chain answers";

/** Silence proves nothing. It concerns no scope, but the caller must know. */
function unproven(chain: string, why: string): RuleOutcome {
  const violations = [{ subject: chain, detail: `not proven: ${why}`, chain: null }];
  return { rule: "chain_was_asked", title: "the chain itself was asked", checked: 1, violations };
}
