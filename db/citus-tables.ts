import { json, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** As `nonces`, of partners' keys: on the partner's node. Those of the operator's keys are in `nonces`, which no lost node takes away. */
export const citusNonces = pgTable(
  "citus_nonces",
  { partnerId: uuid().notNull(), apiKeyId: uuid().notNull(), nonce: uuid().notNull(), burntAt: instant().notNull() },
  (table) => [primaryKey({ columns: [table.partnerId, table.apiKeyId, table.nonce] })],
);

/** The audit entry and the event of a new settlement, as records: they wait on its node for the coordinator (`db/queries/settlements/outbox.ts`). */
export const citusOutbox = pgTable(
  "citus_outbox",
  { partnerId: uuid().notNull(), settlementId: text().notNull(), entry: json().$type<object>().notNull(), event: json().$type<object>() },
  (table) => [primaryKey({ columns: [table.partnerId, table.settlementId] })],
);

/** The tables that only Citus's layout has, all distributed by partner: their columns and keys, and their indexes. */
export const CITUS_TABLES: Readonly<Record<string, { columns: string; indexes: readonly string[] }>> = {
  citus_nonces: {
    columns: `partner_id uuid not null, api_key_id uuid not null, nonce uuid not null, burnt_at timestamptz(3) not null,
      primary key (partner_id, api_key_id, nonce)`,
    indexes: ["create index citus_nonces_burnt_at on citus_nonces (burnt_at)"],
  },
  citus_outbox: {
    columns:
      "partner_id uuid not null, settlement_id text not null, entry json not null, event json, primary key (partner_id, settlement_id)",
    indexes: [],
  },
};
