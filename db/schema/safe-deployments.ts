import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { SAFE_VERSIONS } from "#domain/safe.ts";
import { SAFE_DEPLOYMENT_KINDS, SAFE_DEPLOYMENT_STATES } from "#domain/safe-deployment.ts";
import { members } from "./members.ts";
import { partners } from "./partners.ts";

/** Deployments of Safes and of the contracts that they need. Each has at most one transfer, of the purpose `deployment`. */
export const safeDeployments = pgTable(
  "safe_deployments",
  {
    id: text().primaryKey(),
    kind: text({ enum: SAFE_DEPLOYMENT_KINDS }).notNull(),
    chain: text().notNull(),
    version: text({ enum: SAFE_VERSIONS }).notNull(),
    shared: boolean().notNull(),
    owners: text().array(),
    threshold: smallint(),
    saltNonce: text(),
    memberId: uuid().references(() => members.id),
    partnerId: uuid().references(() => partners.id),
    state: text({ enum: SAFE_DEPLOYMENT_STATES }).notNull(),
    address: text(),
    waitingReason: text(),
    failureReason: text(),
    /** The `traceparent` of the request that created it; null: it was not traced, or there was no request. */
    trace: text(),
    /** The request that created it: the hash of its Idempotency-Key, or its own id. A repeat finds it. */
    requestKey: text(),
    /** SHA-256 of the request's content. */
    requestHash: text(),
    /** Real time: from then on the key may name another request. */
    requestUntil: instant(),
    /** Real time at which the worker processes it next; null: there is nothing to do. */
    lookAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    unique("safe_deployments_request").on(table.requestKey),
    index("safe_deployments_look").on(table.chain, table.lookAt).where(sql`look_at is not null`),
    index("safe_deployments_standing").on(table.chain, table.version, table.kind).where(sql`state = 'deployed' and kind <> 'safe'`),
    index("safe_deployments_owners").using("gin", table.owners).where(sql`kind in ('safe', 'owner_swap')`),
    // One at a time of each contract that Safes share, and one Safe for each member.
    uniqueIndex("safe_deployments_shared")
      .on(table.chain, table.version, table.kind)
      .where(sql`shared and state in ('asked', 'owed', 'made')`),
    uniqueIndex("safe_deployments_member").on(table.memberId).where(sql`state <> 'failed'`),
    check("safe_deployments_safe", sql`(${table.kind} = 'safe') = (${table.threshold} is not null and ${table.saltNonce} is not null)`),
    check("safe_deployments_place", sql`${table.state} not in ('made', 'deployed') or ${table.address} is not null`),
    check("safe_deployments_failed", sql`${table.state} in ('made', 'failed') or ${table.failureReason} is null`),
    check("safe_deployments_reason", sql`${table.state} <> 'failed' or ${table.failureReason} is not null`),
    check("safe_deployments_due", sql`(${table.lookAt} is not null) = (${table.state} in ('asked', 'made'))`),
  ],
);
