import { isKept } from "./citus.ts";
import { CITUS_FUNCTIONS } from "./citus-functions.ts";
import { DISTRIBUTED_TABLES, KNOWN_TO_CITUS } from "./distribution.ts";
import { keyedByPartner, referredByPartner } from "./layout.ts";

const NAME = `(?:"?public"?\\.)?"?(\\w+)"?`;
const REFERENCE = new RegExp(
  `^alter table (?:only )?${NAME} add constraint "?\\w+"? (foreign key\\s*\\([^)]*\\)\\s*references ${NAME}\\s*\\([^)]*\\)[^;,]*);?\\s*$`,
  "i",
);
const OF_CONSTRAINT = new RegExp(`^(alter table (?:only )?${NAME}) (validate|drop) constraint (?:if exists )?"?(\\w+)"?\\s*;?\\s*$`, "i");
/** What changes a table, or gives it an index. */
const CHANGES = new RegExp(`^(?:alter table (?:only )?|create (?:unique )?index [^(]*? on )${NAME}`, "i");
const MAKES = new RegExp(`^create (?:or replace )?(?:function ${NAME}|(?:constraint )?trigger "?(\\w+)"? [^;]*?\\bon ${NAME})`, "i");

/** Functions by name, triggers by table and name. */
function madeBy(statement: string): string | null {
  const [, own, trigger, table] = MAKES.exec(statement) ?? [];
  return own ?? (trigger === undefined ? null : `${table}.${trigger}`);
}
const OWN_FORMS = new Set(CITUS_FUNCTIONS.map((statement) => madeBy(statement.trim())));

/** Whether a migration makes something of which Citus's layout has a form of its own (`db/citus-functions.ts`). */
export function hasOwnForm(statement: string): boolean {
  const made = madeBy(plain(statement));
  return made !== null && OWN_FORMS.has(made);
}

/**
 * A migration's statement as a database in Citus's layout runs it; null: it has nothing to do there. A reference that Citus does not keep is
 * left out, one between distributed tables includes the partner, and so does a unique key of a distributed table. What has its own form there
 * keeps it: `distributeTables` makes it again.
 */
export function inCitusWords(statement: string): string | null {
  const text = plain(statement);
  if (hasOwnForm(text)) return null;
  const [, from = "", words, target = ""] = REFERENCE.exec(text) ?? [];
  if (words !== undefined) return referring(text, words, from, target);
  const [, alter, of, verb, name] = OF_CONSTRAINT.exec(text) ?? [];
  // The constraint may be a reference that was left out.
  if (alter !== undefined)
    return `do $$ begin if exists (select from pg_constraint where conrelid = to_regclass('public."${of}"') and conname = '${name}') then
      ${alter} ${verb} constraint "${name}"; end if; end $$`;
  const [, table = ""] = CHANGES.exec(text) ?? [];
  if (isWhole(table)) return statement;
  // A node has parts of other names: a column is said without its table.
  const bare = text.replaceAll(`"${table}".`, "");
  return isDistributed(table) ? keyedByPartner(bare) : bare;
}

function referring(text: string, words: string, table: string, target: string): string | null {
  if (isWhole(table) && isWhole(target)) return text;
  if (!isKept({ table, target })) return null;
  return isDistributed(target) ? text.replace(words, () => referredByPartner(words)) : text;
}

const isDistributed = (table: string) => DISTRIBUTED_TABLES.includes(table);
const isWhole = (table: string) => !KNOWN_TO_CITUS.includes(table);
const plain = (statement: string) => statement.replaceAll(/--[^\n]*/g, "").trim();
