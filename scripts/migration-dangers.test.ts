import { expect, test } from "vitest";
import { dangersIn, findDangers } from "./migration-dangers.ts";

const names = (...statements: string[]) => dangersIn(statements).map(({ name }) => name);

test("what would stop the version before, or block it for long, is named", () => {
  expect(names('ALTER TABLE "partners" DROP COLUMN "slug";')).toEqual(["drop"]);
  expect(names('ALTER TABLE "partners" RENAME COLUMN "slug" TO "handle";')).toEqual(["rename"]);
  expect(names('ALTER TABLE "partners" ALTER COLUMN "slug" SET DATA TYPE uuid;')).toEqual(["retype"]);
  expect(names('ALTER TABLE "partners" ADD COLUMN "country" text NOT NULL;')).toEqual(["required"]);
  expect(names('ALTER TABLE "partners" ALTER COLUMN "slug" SET NOT NULL;')).toEqual(["required"]);
  expect(names('CREATE INDEX "slugs" ON "partners" USING btree ("slug");')).toEqual(["index"]);
  expect(names('ALTER TABLE "partners" ADD CONSTRAINT "short" CHECK (length(slug) < 9);')).toEqual(["check"]);
});

test("what Citus runs otherwise, or not at all, is named", () => {
  expect(names("INSERT INTO \"pair_terms\" VALUES ('a');")).toEqual(["fill"]);
  expect(names('UPDATE "settlements" s SET trace = t.trace FROM transfers t WHERE t.owner_id = s.id;')).toEqual(["fill"]);
  expect(names("-- why\nCREATE OR REPLACE FUNCTION owe_settlement(transfer text) RETURNS void AS $$ $$;")).toEqual(["form"]);
  expect(names('CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE ON "settlement_quotes" FOR EACH ROW EXECUTE FUNCTION f();')).toEqual([
    "form",
  ]);
  expect(names("CREATE FUNCTION f() RETURNS SETOF transfers LANGUAGE plpgsql AS $$ begin return query select * from g(); end $$")).toEqual([
    "handed on",
  ]);
  expect(names('UPDATE "settlements" SET trace = id;')).toEqual([]);
  expect(names('UPDATE "transfers" t SET trace = p.slug FROM partners p WHERE p.id = t.partner_id;')).toEqual([]);
  expect(names('CREATE TRIGGER append_only BEFORE UPDATE ON "wallets" FOR EACH ROW EXECUTE FUNCTION f();')).toEqual([]);
});

test("what is safe is not", () => {
  expect(names('ALTER TABLE "partners" ADD COLUMN "country" text;')).toEqual([]);
  expect(names('ALTER TABLE "partners" ADD COLUMN "country" text DEFAULT \'KE\' NOT NULL;')).toEqual([]);
  expect(names('CREATE INDEX CONCURRENTLY "slugs" ON "partners" ("slug");')).toEqual([]);
  expect(names('ALTER TABLE "partners" ADD CONSTRAINT "short" CHECK (length(slug) < 9) NOT VALID;')).toEqual([]);
  expect(
    names(
      'CREATE TABLE "halts" ("id" text NOT NULL);',
      'CREATE INDEX "h" ON "halts" ("id");',
      'ALTER TABLE "halts" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "partners"("id");',
    ),
  ).toEqual([]);
});

test("no migration that waits for its release has an unexplained one", () => {
  expect(findDangers()).toEqual([]);
});
