import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { CITUS_TABLES } from "#db/citus-tables.ts";
import { DISTRIBUTED_TABLES } from "#db/distribution.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { eventually, giveSecrets, startDelivery } from "#testing/callbacks.ts";
import { inDatabase } from "./cluster.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/** What Citus itself says of each statement: whether it went to the node of one partner, or to more. */

let on: CitusStage;
beforeAll(async () => {
  on = await openCitusStage({ partners: 2 });
});
afterAll(() => on.close());

/** Why a statement of the work on settlements goes to more than one node, by how it begins. */
const TO_ALL: Readonly<Record<string, string>> = {
  "select partner_id as id from callbacks": "who has callbacks due: it locks nothing, and the claims go partner by partner",
  "select partner_id as id from citus_outbox":
    "of whom something waits to be brought: it locks nothing, and what it finds is brought partner by partner",
  "insert into callbacks": "the payments of one block end together, and may be of several partners: each one's rows go to its node",
};

const NAMES_DISTRIBUTED = new RegExp(`\\b(${[...DISTRIBUTED_TABLES, ...Object.keys(CITUS_TABLES)].join("|")})\\b`);

/** Statements on distributed tables that Citus did not send to one partner's node. Those on reference tables alone stay on the coordinator. */
async function unrouted(): Promise<string[]> {
  const [coordinator = ""] = inject("testServer").nodes;
  const name = new URL(on.database.url).pathname.slice(1);
  return await withConnection(inDatabase(coordinator, name), async (sql) => {
    const rows = await sql<{ text: string }[]>`
      select distinct query as text from citus_stat_statements where partition_key is null and executor = 'adaptive'
        and dbid = (select oid from pg_database where datname = current_database())`;
    const texts = rows.map(({ text }) => text.replaceAll(/\s+/g, " ").replaceAll('"', "").trim());
    return texts.filter((text) => NAMES_DISTRIBUTED.test(text)).sort();
  });
}

it("sends each statement of a settlement's life to its partner's node, but for those that have a reason", async () => {
  const { stage, database, receiver } = on;
  for (const partner of stage.partners) await giveSecrets(database.db, partner);
  const [coordinator = ""] = inject("testServer").nodes;
  const name = new URL(database.url).pathname.slice(1);
  await withConnection(inDatabase(coordinator, name), async (sql) => {
    await sql`create extension if not exists pg_stat_statements`;
    await sql`select pg_stat_statements_reset(), citus_stat_statements_reset()`;
  });
  const delivery = startDelivery({ db: database.db, sql: database.sql });
  for (const partner of stage.partners) await on.owe(partner);
  const work = stage.newWorker();
  await eventually(async () => {
    await work();
    await stage.passTime();
    return receiver.requests.length >= stage.partners.length ? true : null;
  });
  await delivery.stop();
  const reasons = Object.keys(TO_ALL);
  expect((await unrouted()).map((text) => reasons.find((beginning) => text.startsWith(beginning)) ?? text)).toEqual(reasons.toSorted());
});
