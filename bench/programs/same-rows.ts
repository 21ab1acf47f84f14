/** The rows of a create and a confirm, handwritten: one statement each, and no rules but the database's own. */
import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { newId } from "#domain/ids.ts";

type Row = Record<string, unknown>;

/** An event's place in its partner's order: that of its transaction. */
const POSITION = "pg_current_xact_id()::text::bigint";

const CREATE = `
  with spent as (insert into nonces (api_key_id, nonce, burnt_at) values ($1, $2, now())),
  made as (insert into settlements select * from
    jsonb_populate_record(null::settlements, $3::text::jsonb || jsonb_build_object('events_position', ${POSITION}))),
  quoted as (insert into settlement_quotes select * from jsonb_populate_record(null::settlement_quotes, $4::text::jsonb)),
  noted as (insert into audit_entries select * from jsonb_populate_record(null::audit_entries, $5::text::jsonb)),
  owed as (insert into audit_unsealed (entry_id) values ($6)),
  recorded as (insert into events select * from
    jsonb_populate_record(null::events, $7::text::jsonb || jsonb_build_object('position', ${POSITION}))) select`;
const CONFIRM = `
  with spent as (insert into nonces (api_key_id, nonce, burnt_at) values ($1, $2, now())),
  changed as (update settlements set status = 'processing', external_tx_id = $3, callback_url = $4, confirmed_at = now(),
    events_recorded = events_recorded + 1, events_position = ${POSITION} where id = $5),
  made as (insert into transfers select * from jsonb_populate_record(null::transfers, $6::text::jsonb)),
  noted as (insert into audit_entries select * from jsonb_populate_record(null::audit_entries, $7::text::jsonb)),
  owed as (insert into audit_unsealed (entry_id) values ($8)),
  recorded as (insert into events select * from
    jsonb_populate_record(null::events, $9::text::jsonb || jsonb_build_object('position', ${POSITION}))) select`;

const READ = `
  with spent as (insert into nonces (api_key_id, nonce, burnt_at) values ($1, $2, now()))
  select * from settlements where id = $3`;

/** The log of requests: a row for each, many in one statement, as the service writes them. */
const LOG = "insert into api_requests select r.* from jsonb_populate_recordset(null::api_requests, $1::text::jsonb) as r";
const LOGGED_EACH_MS = 200;
const LIFE_MS = 300_000;

/** Copies of the service's last created and confirmed settlements, with new ids. */
export async function sameRows(sql: postgres.Sql) {
  const one = async (text: string): Promise<Row> => {
    const [found] = await sql.unsafe<{ row: Row }[]>(text);
    if (found === undefined) throw new Error(`there is nothing to copy: ${text}`);
    return found.row;
  };
  const newest = (status: string) =>
    one(`select to_jsonb(s) as row from settlements s where status = '${status}' order by created_at desc limit 1`);
  const confirmed = await newest("processing");
  const quoted: Row = { ...(await newest("quoted")), wallet_address: confirmed.wallet_address };
  const quote = await one(`select to_jsonb(q) as row from settlement_quotes q where settlement_id = '${quoted.id}'`);
  const transfer = await one(`select to_jsonb(t) as row from transfers t where owner_id = '${confirmed.id}'`);
  const entryOf = (id: unknown, action: string) =>
    one(`select to_jsonb(e) as row from audit_entries e where object_id = '${id}' and action = '${action}'`);
  const created = await entryOf(quoted.id, "settlement.created");
  const changed = await entryOf(confirmed.id, "settlement.confirmed");
  const eventOf = (id: unknown, type: string) =>
    one(`select to_jsonb(e) as row from events e where object_id = '${id}' and type = '${type}'`);
  const [createdEvent, confirmedEvent] = [
    await eventOf(quoted.id, "settlement.created"),
    await eventOf(confirmed.id, "settlement.confirmed"),
  ];
  const request = await one("select to_jsonb(r) as row from api_requests r order by at desc limit 1");
  const prepared = { prepare: true };
  let unlogged: Row[] = [];
  const answered = (settlementId: string, requestId: string) =>
    unlogged.push({ ...request, id: requestId, at: new Date(), settlement_id: settlementId });
  setInterval(() => {
    const rows = unlogged;
    unlogged = [];
    if (rows.length > 0) void sql.unsafe(LOG, [JSON.stringify(rows)], prepared);
  }, LOGGED_EACH_MS).unref();
  /** Of a request of its own: the audit finds a request that made two settlements. */
  const entryFor = (original: Row, objectId: string) => {
    const at = new Date();
    return { ...original, id: newId("audit", at), at, object_id: objectId, request_id: newId("request", at) };
  };
  const eventFor = (original: Row, objectId: string, at: Date) =>
    JSON.stringify({ ...original, id: newId("event", at), object_id: objectId, created_at: at });
  return {
    async create(nonce: string): Promise<string> {
      const id = newId("settlement", new Date());
      const entry = entryFor(created, id);
      const lives = { priced_at: entry.at, expires_at: new Date(entry.at.getTime() + LIFE_MS) };
      const rows = [{ ...quoted, ...lives, id, created_at: entry.at }, { ...quote, ...lives, settlement_id: id }, entry].map((row) =>
        JSON.stringify(row),
      );
      await sql.unsafe(CREATE, [String(quoted.api_key_id), nonce, ...rows, entry.id, eventFor(createdEvent, id, entry.at)], prepared);
      answered(id, entry.request_id);
      return id;
    },
    async read(nonce: string, id: string): Promise<Row> {
      const [row = {}] = await sql.unsafe<Row[]>(READ, [String(quoted.api_key_id), nonce, id], prepared);
      answered(id, newId("request", new Date()));
      return row;
    },
    async confirm(nonce: string, id: string, reference: string): Promise<void> {
      const entry = entryFor(changed, id);
      const rows = [{ ...transfer, id: newId("transfer", new Date()), owner_id: id }, entry].map((row) => JSON.stringify(row));
      const values = [String(quoted.api_key_id), nonce, reference, String(confirmed.callback_url), id, ...rows, entry.id];
      values.push(eventFor(confirmedEvent, id, entry.at));
      await sql.unsafe(CONFIRM, values, prepared);
      answered(id, entry.request_id);
    },
  };
}

/** The answer to a create, of the same size as the service's. */
export function answerOf(id: string): Row {
  return { tx_id: id, status: "quoted", details: "x".repeat(600), request: randomUUID() };
}
