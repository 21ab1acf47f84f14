import { describe, expect, it } from "vitest";
import { inCitusWords } from "./citus-migrations.ts";
import { readMigrations } from "./migration-files.ts";

/** Statements as drizzle writes them. On real Citus: `testing/citus/upgrade.test.ts`. */
const refer = (from: string, to: string, more = "") =>
  `ALTER TABLE "${from}" ADD CONSTRAINT "f" FOREIGN KEY ("a_id") REFERENCES "public"."${to}"("id")${more};`;

describe("a migration's statement on Citus", () => {
  it("refers to what Citus keeps a reference to, between distributed tables with the partner", () => {
    expect(inCitusWords(refer("callbacks", "settlements", " ON DELETE no action NOT VALID"))).toBe(
      'ALTER TABLE "callbacks" ADD CONSTRAINT "f" FOREIGN KEY (partner_id, "a_id") REFERENCES "public"."settlements"(partner_id, "id") ON DELETE no action NOT VALID;',
    );
    const asItIs = [refer("callbacks", "partners"), refer("pair_terms", "partners"), refer("transfers", "wallets")];
    expect(asItIs.map(inCitusWords)).toEqual(asItIs);
    const leftOut = [
      refer("transfers", "partners"),
      refer("review_claims", "settlements"),
      refer("settlements", "wallets"),
      refer("partners", "users"),
    ];
    expect(leftOut.map(inCitusWords)).toEqual([null, null, null, null]);
    expect(inCitusWords('-- why\nALTER TABLE "transfers" VALIDATE CONSTRAINT "f";')).toMatch(
      /^do \$\$ begin if exists .* then\s+ALTER TABLE "transfers" VALIDATE/,
    );
  });

  it("is unique with the partner, in a distributed table alone", () => {
    const index = (table: string, columns: string) =>
      `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "${table}" USING btree (${columns}) WHERE a = (1);`;
    expect(inCitusWords(index("settlements", 'lower("a"),"b"'))).toBe(index("settlements", 'lower("a"),"b", partner_id'));
    expect(inCitusWords('ALTER TABLE "callbacks" ADD CONSTRAINT "u" UNIQUE("a","b");')).toBe(
      'ALTER TABLE "callbacks" ADD CONSTRAINT "u" UNIQUE("a","b", partner_id);',
    );
    const asItIs = [
      index("settlements", '"partner_id","b"'),
      index("transfers", '"b"'),
      index("partners", '"b"'),
      'CREATE INDEX "i" ON "settlements" ("b");',
    ];
    expect(asItIs.map(inCitusWords)).toEqual(asItIs);
  });

  it("says a column without its table, which has other names on the nodes", () => {
    const check = (table: string, column: string) => `ALTER TABLE "${table}" ADD CONSTRAINT "c" CHECK (length(${column}) < 9) NOT VALID`;
    expect(inCitusWords(check("settlements", '"settlements"."a"'))).toBe(check("settlements", '"a"'));
    expect(inCitusWords(check("transfers", '"transfers"."a"'))).toBe(check("transfers", '"transfers"."a"'));
  });

  it("leaves alone what has a form of its own there, and everything else", () => {
    const own = readMigrations().flatMap(({ statements }) => statements.filter((statement) => inCitusWords(statement) === null));
    const names = own.map((statement) => /(?:function|trigger) (\w+)/i.exec(statement.replaceAll(/--[^\n]*/g, ""))?.[1]).filter(Boolean);
    expect([...new Set(names)].sort()).toEqual(["append_only", "of_partner", "of_partner_or_unsaid", "owe_settlement"]);
    const other = [
      'ALTER TABLE "transfers" DROP CONSTRAINT "a", ADD COLUMN "b" text',
      'CREATE TABLE "a" ("id" text UNIQUE)',
      "CREATE TRIGGER append_only BEFORE UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION f()",
    ];
    expect(other.map(inCitusWords)).toEqual(other);
  });
});
