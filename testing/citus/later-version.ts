import { DISTRIBUTED_TABLES, DISTRIBUTION, KNOWN_TO_CITUS, type Place } from "#db/distribution.ts";
import type { Migration } from "#db/migration-files.ts";
import { POLICIES } from "#db/policies.ts";
import { RIGHTS } from "#db/rights.ts";

/** Migrations of a version that does not exist: one of each kind that a real one may have, in the words that `npm run db:migration` writes. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  new_tables: [
    `CREATE TABLE "later_notes" ("id" text PRIMARY KEY NOT NULL, "partner_id" uuid NOT NULL, "settlement_id" text NOT NULL, "kind" text,
      "wallet_id" uuid, "text" text NOT NULL, CONSTRAINT "later_notes_text" UNIQUE("settlement_id","text"))`,
    `CREATE TABLE "later_kinds" ("id" text PRIMARY KEY NOT NULL, "made_for" uuid)`,
    `CREATE TABLE "later_marks" ("id" text PRIMARY KEY NOT NULL, "partner_id" uuid NOT NULL, "note_id" text, "wallet_id" uuid,
      "merchant" uuid REFERENCES "partners"("id"))`,
    ...["later_notes", "later_marks"].map(
      (table) => `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_partner" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id")`,
    ),
    `-- between distributed tables\nALTER TABLE "later_notes" ADD CONSTRAINT "later_notes_settlement" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action`,
    `ALTER TABLE "later_notes" ADD CONSTRAINT "later_notes_kind" FOREIGN KEY ("kind") REFERENCES "public"."later_kinds"("id")`,
    `ALTER TABLE "later_notes" ADD CONSTRAINT "later_notes_wallet" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id")`,
    `ALTER TABLE "later_kinds" ADD CONSTRAINT "later_kinds_partner" FOREIGN KEY ("made_for") REFERENCES "public"."partners"("id")`,
    `ALTER TABLE "later_marks" ADD CONSTRAINT "later_marks_note" FOREIGN KEY ("note_id") REFERENCES "public"."later_notes"("id")`,
    `ALTER TABLE "later_marks" ADD CONSTRAINT "later_marks_wallet" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id")`,
    `CREATE UNIQUE INDEX "later_notes_lower" ON "later_notes" USING btree (lower("text"),"settlement_id") WHERE kind is not null`,
    `CREATE INDEX "later_notes_kind_of" ON "later_notes" USING btree ("kind")`,
  ],
  new_columns: [
    ...["settlements", "partners", "transfers"].flatMap((table) => [
      `ALTER TABLE "${table}" ADD COLUMN "later_kind" text DEFAULT 'plain' NOT NULL`,
      `ALTER TABLE "${table}" ADD COLUMN "later_seen" boolean GENERATED ALWAYS AS ("later_kind" <> 'plain') STORED NOT NULL`,
      `ALTER TABLE "${table}" ADD COLUMN "later_trace" text`,
      `ALTER TABLE "${table}" ADD COLUMN "later_of" text`,
      `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_later_of" FOREIGN KEY ("later_of") REFERENCES "public"."later_kinds"("id") NOT VALID`,
      `ALTER TABLE "${table}" ADD CONSTRAINT "${table}_later_check" CHECK (length("${table}"."later_kind") < 99) NOT VALID`,
    ]),
    `ALTER TABLE "callbacks" ADD COLUMN "later_settlement" text`,
    `ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_later" FOREIGN KEY ("later_settlement") REFERENCES "public"."settlements"("id") NOT VALID`,
    `ALTER TABLE "transfers" ADD COLUMN "later_wallet" uuid`,
    `ALTER TABLE "transfers" ADD CONSTRAINT "transfers_later_wallet" FOREIGN KEY ("later_wallet") REFERENCES "public"."wallets"("id") NOT VALID`,
  ],
  validated: [
    ...["settlements", "partners", "transfers"].flatMap((table) =>
      ["of", "check"].map((name) => `-- why\nALTER TABLE "${table}" VALIDATE CONSTRAINT "${table}_later_${name}"`),
    ),
    `ALTER TABLE "callbacks" VALIDATE CONSTRAINT "callbacks_later"`,
    `ALTER TABLE "transfers" VALIDATE CONSTRAINT "transfers_later_wallet"`,
  ],
  indexes: [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS "settlements_later" ON "settlements" USING btree ("later_kind","created_at")`,
    `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "settlements_later_once" ON "settlements" USING btree ("id","later_kind")`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS "partners_later" ON "partners" USING btree ("later_kind")`,
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_later" ON "transfers" USING btree ("later_kind")`,
  ],
  rules: [
    `CREATE FUNCTION later_keep() RETURNS trigger LANGUAGE plpgsql AS $$ begin
      if new.later_kind is null then raise exception 'no kind'; end if; return new; end $$`,
    ...["settlements", "partners", "transfers"].map(
      (table) => `CREATE TRIGGER later_kept BEFORE UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION later_keep()`,
    ),
    `CREATE OR REPLACE FUNCTION later_keep() RETURNS trigger LANGUAGE plpgsql AS $$ begin
      if new.later_kind = '' then raise exception 'no kind'; end if; return new; end $$`,
    `CREATE FUNCTION later_text(settlement text) RETURNS text LANGUAGE sql STABLE AS $$ select max(n.text) from later_notes n where n.settlement_id = settlement $$`,
    `CREATE OR REPLACE FUNCTION owe_settlement(transfer text, owner text, partner uuid) RETURNS SETOF transfers LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = public, pg_temp AS $$ begin raise exception 'the form of whole tables'; end $$`,
    `CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON "settlement_quotes" FOR EACH ROW EXECUTE FUNCTION refuse_change_but_archiving()`,
    `CREATE VIEW "later_open" AS SELECT s.partner_id, s.later_kind FROM settlements s WHERE s.status = 'quoted'`,
    `CREATE VIEW "later_transfers" AS SELECT t.partner_id, t.later_kind FROM transfers t`,
  ],
  filled: [
    `UPDATE "settlements" SET "later_trace" = "id" WHERE "later_trace" IS NULL`,
    `UPDATE "transfers" t SET "later_trace" = p.slug FROM "partners" p WHERE p.id = t.partner_id`,
    `UPDATE "partners" SET "later_trace" = "slug"`,
    `ALTER TABLE "settlements" ALTER COLUMN "later_kind" SET DEFAULT 'plain'`,
  ],
  contracted: [
    `DROP TRIGGER later_kept ON "settlements"`,
    `ALTER TABLE "transfers" DROP CONSTRAINT "transfers_later_of"`,
    `ALTER TABLE "settlements" DROP CONSTRAINT "settlements_later_check"`,
    `ALTER TABLE "callbacks" DROP COLUMN "later_settlement"`,
    `ALTER TABLE "later_notes" RENAME COLUMN "kind" TO "sort"`,
  ],
  without_index: [`DROP INDEX CONCURRENTLY IF EXISTS "settlements_later"`],
};

/** The same as the program reads them. */
export const LATER_MIGRATIONS: readonly Migration[] = Object.entries(KINDS).map(([kind, statements]) =>
  laterMigration(kind, ...statements),
);

/** One more of them. */
export function laterMigration(kind: string, ...statements: string[]): Migration {
  return { tag: `0900_${kind}`, hash: `hash of ${kind}`, when: 9_999_999_999_999, statements };
}

/** Its new tables: where they belong, and of which table they have the rights and policies. */
const TABLES: Readonly<Record<string, { place: Place; like: string }>> = {
  later_notes: { place: { kind: "distributed" }, like: "callbacks" },
  later_kinds: { place: { kind: "reference" }, like: "business_clock" },
  later_marks: { place: { kind: "whole", group: "operator" }, like: "saved_views" },
};

/** Lets this process know them, as the later version's lists would. */
export function learnLaterTables(): void {
  const lists = [DISTRIBUTION, RIGHTS, POLICIES] as Record<string, unknown>[];
  for (const [name, { place, like }] of Object.entries(TABLES)) {
    const [, rights, policy] = lists.map((list) => list[like]);
    Object.assign(DISTRIBUTION, { [name]: place });
    Object.assign(RIGHTS, { [name]: rights });
    if (policy !== undefined) Object.assign(POLICIES, { [name]: policy });
    if (place.kind === "distributed") (DISTRIBUTED_TABLES as string[]).push(name);
    if (place.kind !== "whole") (KNOWN_TO_CITUS as string[]).push(name);
  }
}
