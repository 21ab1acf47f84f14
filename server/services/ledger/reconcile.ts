import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { LEASE_SECONDS } from "#db/lease.ts";
import {
  claimReconciliation,
  finishReconciliation,
  lastProvenAt,
  listRememberedRuns,
  type ReconciliationClaim,
  type ReconciliationFinding,
  renewReconciliation,
} from "#db/queries/ledger/reconciliations.ts";
import type { Uses } from "#server/context.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { auditDatabase } from "./audit-database.ts";
import type { AuditReport } from "./audit-report.ts";
import { bookMissedFees } from "./book-missed-fees.ts";
import { asNewCase } from "./new-case.ts";

/** Longer than a settlement may wait for a decision and then for its confirmation: anything older was already checked when it ended. */
const SCOPE_DAYS = 9;
const DAY_MS = 86_400_000;

export type Reconciled = { day: string; rules: number; checked: number; findings: ReconciliationFinding[] };

/**
 * Once each business day, by one worker: runs the audit's rules on new rows, compares ledger, records and
 * wallets. Every difference is logged and stored by name. A new case halts its chain until two people lift that; a grown loss
 * is a new case (`asNewCase`). The API keeps running.
 *
 * @returns null when the day is done already, or another worker does it
 */
export async function reconcile(ctx: Uses<"db" | "evm" | "log"> & Partial<Uses<"lapsing">>): Promise<Reconciled | null> {
  const claim = await claimReconciliation(ctx.db, randomUUID());
  if (claim === null) return null;
  const renewal = setInterval(() => void renewReconciliation(ctx.db, claim).catch(() => {}), (LEASE_SECONDS * 1_000) / 3);
  try {
    return await run(ctx, claim);
  } finally {
    clearInterval(renewal);
  }
}

async function run(ctx: Uses<"db" | "evm" | "log"> & Partial<Uses<"lapsing">>, claim: ReconciliationClaim): Promise<Reconciled | null> {
  const since = new Date(claim.startedAt.getTime() - SCOPE_DAYS * DAY_MS);
  for (const chain of ctx.evm.list()) {
    const answering = await findAnsweringNode(chain);
    if (answering !== null) await bookMissedFees(ctx, answering, since);
  }
  const report = await auditDatabase(ctx, { since, endedSince: await lastProvenAt(ctx.db) });
  const found = await findingsOf(ctx.db, report);
  const { rules, checked } = { rules: report.rules.length, checked: report.checked };
  const findings = await ctx.db.transaction(async (tx) => {
    if (!(await renewReconciliation(tx, claim))) return null;
    const halted = await halt(tx, found);
    await finishReconciliation(tx, claim, { rules, checked, findings: halted });
    return halted;
  });
  if (findings === null) return null;
  for (const finding of findings) ctx.log.error(finding, "the reconciliation found a difference");
  ctx.log.info({ day: claim.day, rules, checked, differences: findings.length }, "the day is reconciled");
  return { day: claim.day, rules, checked, findings };
}

/** A violation, and whether to halt its chain: once per case, so that the people who lift it are not overruled. */
async function findingsOf(db: Database, report: AuditReport): Promise<ReconciliationFinding[]> {
  const runs = await listRememberedRuns(db);
  return report.rules.flatMap(({ rule, violations }) =>
    violations.map(({ missingBase, ...violation }): ReconciliationFinding => {
      const found = { rule, ...violation, ...(missingBase === undefined ? {} : { missingBase: String(missingBase) }) };
      const newCase = violation.chain === null ? null : asNewCase(found, runs);
      const before = newCase?.before ? { before: { day: newCase.before.day, detail: newCase.before.detail } } : {};
      return { ...found, ...before, halted: newCase !== null };
    }),
  );
}

/** Halts the chains of new cases. A chain that is halted already keeps that halt, and its new cases are deferred. */
async function halt(tx: Database, findings: readonly ReconciliationFinding[]): Promise<ReconciliationFinding[]> {
  const isDeferred = new Set<string>();
  for (const [chain, [first, ...more]] of Map.groupBy(
    findings.filter(({ halted }) => halted),
    ({ chain }) => chain,
  )) {
    if (chain === null || first === undefined) continue;
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    const before = first.before ? `; on ${first.before.day} it was: ${first.before.detail}` : "";
    const detail = `The reconciliation found ${first.rule} broken: ${first.subject} ${first.detail}${before}${others}.`;
    const evidence = { findings: [first, ...more].map(({ rule, subject }) => ({ rule, subject })) };
    const made = await haltScope(tx, { scope: { kind: "chain", key: chain }, cause: "broken_invariant", detail, evidence });
    if (made === null) isDeferred.add(chain);
  }
  return findings.map((finding) =>
    finding.halted && finding.chain !== null && isDeferred.has(finding.chain) ? { ...finding, halted: false, deferred: true } : finding,
  );
}
