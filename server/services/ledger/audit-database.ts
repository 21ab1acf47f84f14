import { callbackRules } from "#db/queries/audit/rules/callbacks.ts";
import { exposureRules } from "#db/queries/audit/rules/exposure.ts";
import { ledgerRules } from "#db/queries/audit/rules/ledger.ts";
import { orderRules } from "#db/queries/audit/rules/orders.ts";
import { type AuditScope, allowLongStatements, askRule, type RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { settlementRules } from "#db/queries/audit/rules/settlements.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import type { Context, Uses } from "#server/context.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { auditChain } from "./audit-chain.ts";
import { auditRecords } from "./audit-records.ts";
import { type AuditReport, auditLogChain, reportOf } from "./audit-report.ts";
import { auditTreasury } from "./measure-treasury.ts";

export type AuditOptions = {
  /** Only what was made since then (business time); null or left out: the whole database. */
  since?: Date | null;
  /** Of the transfers, ask the chain about those that ended since then (business time); null or left out: about all. */
  endedSince?: Date | null;
  /** Rules that a test has broken on purpose. */
  without?: readonly string[];
};

/**
 * Proves every rule about money and callbacks over a database and, where chains are handed over, against them. It changes nothing.
 * What the database says is read as of one instant, so that a busy service is no violation.
 */
export async function auditDatabase(ctx: Uses<"db"> & { evm?: Context["evm"] }, options: AuditOptions = {}): Promise<AuditReport> {
  const scope = options.since ?? null;
  const outcomes = await auditRows(ctx, scope);
  for (const chain of ctx.evm?.list() ?? []) {
    const answering = await findAnsweringNode(chain);
    if (answering === null) outcomes.push(unproven(chain.chain));
    else
      outcomes.push(
        ...(await auditChain(ctx, answering, { scope, endedSince: options.endedSince ?? null })),
        await auditTreasury(ctx, answering),
      );
  }
  return reportOf(outcomes.filter(({ rule }) => !options.without?.includes(rule)));
}

async function auditRows(ctx: Uses<"db">, scope: AuditScope): Promise<RuleOutcome[]> {
  const rules = [
    ...[...settlementRules(scope), ...orderRules(scope), ...transferRules(scope), ...exposureRules(scope)],
    ...[...callbackRules(scope), ...ledgerRules(scope)],
  ];
  return await ctx.db.transaction(
    async (tx) => {
      await allowLongStatements(tx);
      const outcomes: RuleOutcome[] = [];
      for (const rule of rules) outcomes.push(await askRule(tx, rule));
      return [...outcomes, ...(await auditRecords(tx, scope)), await auditLogChain(tx, scope)];
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** Silence proves nothing, neither way: it concerns no lane, but whoever asked must know. */
function unproven(chain: string): RuleOutcome {
  const violations = [{ subject: chain, detail: "not proven: no node of the chain answers", chain: null }];
  return { rule: "chain_was_asked", title: "the chain itself was asked", checked: 1, violations };
}
