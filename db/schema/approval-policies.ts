import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { PolicyHint, WrittenRule } from "#domain/policy-rule.ts";
import { partners } from "./partners.ts";
import { settlements } from "./settlements.ts";

/** Every version of the approval policy, never changed: the highest is in force. */
export const approvalPolicies = pgTable(
  "approval_policies",
  {
    id: text().primaryKey(),
    version: integer().notNull(),
    /** In their order, as people write them; amounts are plain decimals. */
    rules: jsonb().$type<readonly WrittenRule[]>().notNull(),
    /** The hints that any of the rules needs: a quote looks up nothing else. */
    hints: text().array().$type<PolicyHint[]>().notNull(),
    reason: text().notNull(),
    /** Whose word it was. */
    madeBy: text(),
    madeAt: instant().notNull(),
  },
  (table) => [
    unique("approval_policies_version").on(table.version),
    check("approval_policies_counts", sql`${table.version} >= 1`),
    check("approval_policies_rules", sql`jsonb_typeof(${table.rules}) = 'array'`),
  ],
);

/**
 * Why a quote waits for approval: which rule of which version matched, and its findings. Never changed, so that a settlement keeps the
 * policy of its quote. Without a demand there is no row.
 */
export const approvalDemands = pgTable(
  "approval_demands",
  {
    settlementId: text()
      .primaryKey()
      .references(() => settlements.id),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    policyId: text()
      .notNull()
      .references(() => approvalPolicies.id),
    ruleId: text().notNull(),
    /** How many different people the rule asks for; the terms may ask for more. */
    approvals: smallint().notNull(),
    /** The hints found, of those that the version needs. */
    hints: text().array().$type<PolicyHint[]>().notNull(),
    /** Business time. */
    at: instant().notNull(),
  },
  (table) => [check("approval_demands_approvals", sql`${table.approvals} between 1 and 5`)],
);
