import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { ringForEvents } from "#db/event-bell.ts";
import { auditParts, auditRecords, auditRow, entriesIn, entryIn } from "#db/queries/audit/audit-entries.ts";
import { eventRow } from "#db/queries/events/event-row.ts";
import { eventIn, eventPart, eventRecords, eventsIn, HERE } from "#db/queries/events/record-events.ts";
import { insertRows, recordsOf } from "#db/rows.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import { changesOf, namesOf, type Params, rowOfParams, statement } from "#db/statement.ts";
import { layoutOf, sendAhead } from "#db/transaction.ts";
import type { Settlement } from "#domain/settlement.ts";
import { FIXED, LIVING, QUOTE, toRow } from "./settlement-rows.ts";
import { insertOnNodes, saveOnNodes, type Written } from "./write-on-nodes.ts";

export type { Written } from "./write-on-nodes.ts";

/** Adds new settlements, each with the first version of its quote, the audit entry of its making and its event: one statement. */
export async function insertSettlements(db: Database, made: readonly Written[]): Promise<void> {
  if (layoutOf(db) === "citus") return await insertOnNodes(db, made);
  const one = oneOf(made);
  await (one === null ? insertion(db, manyOf(made)) : insertionOfOne(db, one));
  ringFor(db, made);
}

const rowOf = ({ settlement, event }: Written) => ({ ...toRow(settlement), eventsRecorded: event === null ? 0 : 1 });

type Many = { settlements: string; entries: string; events: string };
type One = { settlement: object; entry: object; event: object };

function manyOf(written: readonly Written[]): Many {
  const events = written.flatMap(({ event }) => event ?? []);
  return {
    settlements: recordsOf(settlements, written.map(rowOf)),
    ...auditRecords(written.map(({ entry }) => entry)),
    ...eventRecords(events),
  };
}

/** What a request writes as a rule: one settlement, with an event. null: another number. */
function oneOf([first, ...others]: readonly Written[]): One | null {
  if (first === undefined || first.event === null || others.length > 0) return null;
  return { settlement: rowOf(first), entry: auditRow(first.entry), event: eventRow(first.event) };
}

function ringFor(db: Database, written: readonly Written[]): void {
  for (const { event } of written) if (event !== null) ringForEvents(db, event.partnerId);
}

/** Where a statement finds the rows to write. `priced`: the settlements once more, with the least effort. */
type Found = { settlements: SQL; priced: SQL; entries: SQL; events: SQL };
const inJson = (param: Params<Many>): Found => ({
  settlements: sql`json_populate_recordset(null::settlements, ${param("settlements")}::text::json)`,
  priced: sql`made`,
  entries: entriesIn(param),
  events: eventsIn(param),
});
const KEYS = ["id", ...FIXED, ...LIVING, "eventsRecorded"];
const inParams = (param: Params<One>): Found => {
  const row = rowOfParams(param, "settlement", settlements, KEYS);
  return { settlements: row, priced: row, entries: entryIn(param), events: eventIn(param) };
};

type Nothing = Record<string, never>;

function insertionOf(found: Found): SQL {
  const quote = namesOf(settlementQuotes, QUOTE);
  return sql`
    with made as (${inserted(found)} returning id, partner_id, quote_version, ${quote}),
    ${eventPart(found.events, "settlement", null)},
    quoted as (insert into settlement_quotes (settlement_id, partner_id, version, ${quote})
      select id, partner_id, quote_version, ${quote} from ${found.priced}),
    ${auditParts(found.entries)} select`;
}
const insertion = statement<Many, Nothing>((param) => insertionOf(inJson(param)));
const insertionOfOne = statement<One, Nothing>((param) => insertionOf(inParams(param)));

function inserted({ settlements: found }: Found): SQL {
  const row = namesOf(settlements, KEYS);
  return sql`insert into settlements (${row}, events_position) select ${row}, ${HERE} from ${found}`;
}

/** Keeps another version of the price of each. Earlier versions stay as they were. */
export async function insertQuotes(db: Database, priced: readonly Pick<Settlement, "id" | "partnerId" | "quote">[]): Promise<void> {
  const rows = priced.map(({ id, partnerId, quote }) => ({ settlementId: id, partnerId, ...quote }));
  if (layoutOf(db) === "citus") await db.insert(settlementQuotes).values(rows);
  else await insertRows(db, settlementQuotes, rows);
}

/** Writes settlements that are locked, each with the audit entry and the event of its change: one statement, sent ahead of what follows. */
export async function saveSettlements(db: Database, changed: readonly Written[]): Promise<void> {
  if (changed.length === 0) return;
  if (layoutOf(db) === "citus") return await saveOnNodes(db, changed);
  const one = oneOf(changed);
  await sendAhead(db, one === null ? change(db, manyOf(changed)) : changeOfOne(db, one));
  ringFor(db, changed);
}

// An upsert by the index of ids: an update from many rows gets a cached plan that keeps scanning a table which was small when planned. By
// the constraint's name, which includes the partner where the table is partitioned (db/layout.ts).
function changeOf(found: Found): SQL {
  return sql`
    with changed as (${inserted(found)} on conflict on constraint settlements_pkey do update set ${changesOf(settlements, LIVING)},
      events_recorded = settlements.events_recorded + excluded.events_recorded,
      events_position = greatest(settlements.events_position, excluded.events_position)
      returning id as object_id, events_recorded as version, events_position as position),
    ${eventPart(found.events, "settlement", sql`changed`)},
    ${auditParts(found.entries)} select`;
}
const change = statement<Many, Nothing>((param) => changeOf(inJson(param)));
const changeOfOne = statement<One, Nothing>((param) => changeOf(inParams(param)));
