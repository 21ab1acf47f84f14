import { integer, json, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** As `nonces`, of partners' keys: on the partner's node. Those of the operator's keys are in `nonces`, which no lost node takes away. */
export const citusNonces = pgTable(
  "citus_nonces",
  { partnerId: uuid().notNull(), apiKeyId: uuid().notNull(), nonce: uuid().notNull(), burntAt: instant().notNull() },
  (table) => [primaryKey({ columns: [table.partnerId, table.apiKeyId, table.nonce] })],
);

/**
 * What a settlement's creation and its confirmation leave to the coordinator, as records: audit entry, event, and the payment that it owes from
 * then on. They wait on its node (`db/queries/settlements/outbox.ts`). `version`: the event's. Without an event: the settlement's last.
 */
export const citusOutbox = pgTable(
  "citus_outbox",
  {
    partnerId: uuid().notNull(),
    settlementId: text().notNull(),
    version: integer().notNull(),
    entry: json().$type<object>().notNull(),
    event: json().$type<object>(),
    transferId: text(),
  },
  (table) => [primaryKey({ columns: [table.partnerId, table.settlementId, table.version] })],
);

type CitusTable = { columns: Readonly<Record<string, string>>; key: string; indexes: Readonly<Record<string, string>> };

/**
 * The tables that only Citus's layout has, all distributed by partner. `migrate` adds a column or an index that an existing table lacks. So a
 * later column is nullable or has a default. Nothing here is renamed or dropped.
 */
export const CITUS_TABLES: Readonly<Record<string, CitusTable>> = {
  citus_nonces: {
    columns: { partner_id: "uuid not null", api_key_id: "uuid not null", nonce: "uuid not null", burnt_at: "timestamptz(3) not null" },
    key: "partner_id, api_key_id, nonce",
    indexes: { citus_nonces_burnt_at: "(burnt_at)" },
  },
  citus_outbox: {
    columns: {
      partner_id: "uuid not null",
      settlement_id: "text not null",
      version: "integer not null",
      entry: "json not null",
      event: "json",
      transfer_id: "text",
    },
    key: "partner_id, settlement_id, version",
    indexes: {},
  },
};

/** The columns and the key of one, as `create table` takes them. */
export function columnsOf({ columns, key }: CitusTable): string {
  return [...Object.entries(columns).map(([name, type]) => `${name} ${type}`), `primary key (${key})`].join(", ");
}
