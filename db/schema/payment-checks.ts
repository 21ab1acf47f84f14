import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { CHECK_STAGES, CHECKS, type Finding, HOLD_OUTCOMES } from "#domain/payment-check.ts";
import { TRANSFER_PURPOSES } from "#domain/transfer.ts";
import { partners } from "./partners.ts";

/** Everything that a check ever said of a payment, with the versions it was judged by. Append only. */
export const paymentVerdicts = pgTable(
  "payment_verdicts",
  {
    id: text().primaryKey(),
    /** Of which transfer: there is one for each purpose and owner. */
    purpose: text({ enum: TRANSFER_PURPOSES }).notNull(),
    ownerId: text().notNull(),
    partnerId: uuid().references(() => partners.id),
    check: text({ enum: CHECKS }).notNull(),
    stage: text({ enum: CHECK_STAGES }).notNull(),
    /** `hold`: it held the payment. */
    outcome: text({ enum: ["pass", "hold"] }).notNull(),
    findings: jsonb().$type<readonly Finding[]>().notNull(),
    /** Business time. */
    at: instant().notNull(),
  },
  (table) => [
    index("payment_verdicts_of").on(table.ownerId, table.at),
    check("payment_verdicts_check", sql`${table.check} ~ '^[a-z_]+$'`),
    check("payment_verdicts_stage", sql`${table.stage} in ('quote', 'confirm', 'sign', 'release')`),
    check("payment_verdicts_outcome", sql`${table.outcome} in ('pass', 'hold')`),
  ],
);

/**
 * Of the holds, those where a screening found something about a settlement's recipient, rather than no answer. There are few. The database
 * function also knows `UNANSWERED`.
 */
export const BY_SCREENING = sql`purpose = 'settlement' and "check" = 'screening' and tells_a_finding(keys)`;

/**
 * What prevents a payment from being signed until people decide, one row per check. While one is open the transfer is `queued`, waits for
 * `hold`, and is never due. A trigger allows only one decision.
 */
export const paymentHolds = pgTable(
  "payment_holds",
  {
    id: text().primaryKey(),
    purpose: text({ enum: TRANSFER_PURPOSES }).notNull(),
    ownerId: text().notNull(),
    partnerId: uuid().references(() => partners.id),
    check: text({ enum: CHECKS }).notNull(),
    verdictId: text()
      .notNull()
      .references(() => paymentVerdicts.id),
    /** The keys of the findings that hold it: once released, they do not hold it again. */
    keys: text().array().notNull(),
    /** For operators. */
    reason: text().notNull(),
    /** Business time. */
    heldAt: instant().notNull(),
    outcome: text({ enum: HOLD_OUTCOMES }).notNull().default("open"),
    decidedAt: instant(),
    deciderType: text({ enum: ["user", "operator_key"] }),
    deciderId: uuid(),
    deciderName: text(),
    decisionReason: text(),
  },
  (table) => [
    uniqueIndex("payment_holds_open").on(table.ownerId, table.purpose, table.check).where(sql`outcome = 'open'`),
    index("payment_holds_of").on(table.ownerId),
    index("payment_holds_by_screening").on(table.partnerId, table.heldAt).where(BY_SCREENING),
    index("payment_holds_unexplained").on(table.outcome).where(sql`"check" = 'unexplained_payment'`),
    index("payment_holds_waiting").on(table.heldAt).where(sql`outcome = 'open'`),
    check("payment_holds_check", sql`${table.check} ~ '^[a-z_]+$'`),
    check("payment_holds_outcome", sql`${table.outcome} in ('open', 'released', 'refused', 'ended')`),
    check("payment_holds_decided", sql`(${table.outcome} = 'open') = (${table.decidedAt} is null)`),
    check(
      "payment_holds_decider",
      sql`(${table.outcome} in ('released', 'refused')) = (${table.deciderType} is not null)
        and (${table.deciderType} is null) = (${table.deciderId} is null) and (${table.deciderType} is null) = (${table.deciderName} is null)
        and (${table.deciderType} is null) = (${table.decisionReason} is null)`,
    ),
  ],
);
