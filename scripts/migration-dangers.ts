import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hasOwnForm } from "#db/citus-migrations.ts";
import { KNOWN_TO_CITUS } from "#db/distribution.ts";
import { MIGRATIONS, readMigrations, readReleases } from "#db/migration-files.ts";

/**
 * Steps that a migration must not take while the previous version still uses the database, or with many rows. The alternatives:
 * docs/decisions/migrations.md. For harmless cases, `accepted.json` has the migration, the name of the danger and the reason.
 */
const DANGERS: readonly { name: string; pattern: { test(statement: string): boolean }; instead: string }[] = [
  {
    name: "drop",
    pattern: /\bdrop (?:table|column|schema|view|function|type)\b/i,
    instead: "the version before still uses it: drop it a release later",
  },
  {
    name: "rename",
    pattern: /\brename (?:to|column)\b/i,
    instead: "the version before knows the old name: add, copy, and drop a release later",
  },
  {
    name: "retype",
    pattern: /\balter column \S+ (?:set data )?type\b/i,
    instead: "it writes the whole table again under a lock: add a column, fill it, change over",
  },
  {
    name: "required",
    pattern: /\badd column(?![^;]*\bdefault\b)[^;]*\bnot null\b|\balter column \S+ set not null\b/i,
    instead: "the version before leaves it empty: give it a default, require it a release later",
  },
  {
    name: "index",
    pattern: /\bcreate (?:unique )?index (?!concurrently)/i,
    instead: "it stops all writes until it is built: in a migration of its own, `create index concurrently`",
  },
  {
    name: "check",
    pattern: /\badd constraint\b(?![^;]*\b(?:not valid|using index)\b)/i,
    instead: "it reads every row under a lock: add it `not valid`, and validate it in the next migration",
  },
  {
    name: "fill",
    pattern: { test: fillsWhatIsSpread },
    instead: "Citus spreads this table: add no row to it, and fill it from its own columns only. A duty of the worker does the rest",
  },
  {
    name: "form",
    pattern: { test: hasOwnForm },
    instead: "on Citus this has a form of its own: change it in `db/citus-functions.ts`, too",
  },
  {
    name: "handed on",
    pattern: /\breturn query select \* from (?!jsonb_|unnest)\w+\(/i,
    instead: "once a column is added to those rows, it fails in each open session: say `return query execute`",
  },
  { name: "truncate", pattern: /\btruncate\b/i, instead: "nothing of what a migration finds is worthless" },
];

/** Whether it adds rows to a table that Citus spreads, or changes such a table's rows from another table. */
function fillsWhatIsSpread(statement: string): boolean {
  const [, verb = "", table = ""] = /^(insert into|update|delete from) (?:only )?(?:"?public"?\.)?"?(\w+)"?/i.exec(statement) ?? [];
  if (!KNOWN_TO_CITUS.includes(table)) return false;
  return /^insert/i.test(verb) || /\b(?:from|using|join)\b/i.test(statement.slice(verb.length));
}

/** The dangers in migrations that no release has carried away yet, a line each. */
export function findDangers(): string[] {
  const released = new Set(Object.values(readReleases()).flatMap((files) => Object.values(files)));
  const accepted: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(MIGRATIONS, "accepted.json"), "utf8"));
  return readMigrations()
    .filter(({ hash }) => !released.has(hash))
    .flatMap(({ tag, statements }) => dangersIn(statements).map((danger) => ({ tag, ...danger })))
    .filter(({ tag, name }) => !accepted[tag]?.[name])
    .map(({ tag, name, statement, instead }) => `${tag} (${name}): ${statement.slice(0, 100)}\n  ${instead}`);
}

/** Changes of a table that the same migration creates are harmless. */
export function dangersIn(statements: readonly string[]): { name: string; statement: string; instead: string }[] {
  const plain = statements.map((text) => text.replaceAll(/--[^\n]*/g, "").trim());
  const fresh = new Set(
    plain.flatMap((text) => [...text.matchAll(/\bcreate table (?:if not exists )?"?(\w+)"?/gi)].map(([, table]) => table)),
  );
  return plain
    .filter((text) => !fresh.has(/\b(?:alter table(?: only)?|on)\s+(?:"public"\.)?"?(\w+)"?/i.exec(text)?.[1] ?? ""))
    .flatMap((text) =>
      DANGERS.filter(({ pattern }) => pattern.test(text)).map(({ name, instead }) => ({ name, instead, statement: text })),
    );
}
