import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { eventually, giveSecrets, startDelivery } from "#testing/callbacks.ts";
import type { TestPartner } from "#testing/factories.ts";
import { inDatabase } from "./cluster.ts";
import { openPartnerNode } from "./partner-node.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/**
 * Where a settlement's calls commit: on its partner's node alone, or there and on the coordinator in two phases. The coordinator's own log says
 * which tables each of its transactions wrote, and whether it kept the record of a two-phase commit.
 */

let on: CitusStage;
let partner: TestPartner;
beforeAll(async () => {
  on = await openCitusStage({ partners: 1 });
  const [one] = on.stage.partners;
  if (one === undefined) throw new Error("there is no partner");
  partner = one;
  await giveSecrets(on.database.db, partner);
  await asSuperuser((node) => node`select pg_create_logical_replication_slot('commits', 'test_decoding')`);
});
afterAll(async () => {
  await asSuperuser((node) => node`select pg_drop_replication_slot('commits')`);
  await on.close();
});

type Sql = Parameters<Parameters<typeof withConnection>[1]>[0];

async function asSuperuser<Result>(work: (node: Sql) => Promise<Result>, url = inject("testServer").nodes[0] ?? ""): Promise<Result> {
  return await withConnection(inDatabase(url, new URL(on.database.url).pathname.slice(1)), work);
}

/** The tables of the coordinator in each of its transactions since the last look, and in how many phases it committed. */
async function committed(): Promise<{ phases: number; tables: string[] }[]> {
  const lines = await asSuperuser(async (node) => {
    // The slot shows what the log has on disk: a commit that waits for it takes all before it there.
    await node`set synchronous_commit = on`;
    await node`select pg_logical_emit_message(true, '', '')`;
    return await node<{ xid: string; data: string }[]>`
      select xid::text, data from pg_logical_slot_get_changes('commits', null, null, 'skip-empty-xacts', '1')`;
  });
  const changes = lines.flatMap(({ xid, data }) => {
    const [, table] = /^table "?\w+"?\.(\w+):/.exec(data) ?? [];
    return table === undefined ? [] : [{ xid, table }];
  });
  return [...Map.groupBy(changes, ({ xid }) => xid).values()].map((own) => {
    const tables = new Set(own.map(({ table }) => table));
    const phases = tables.delete("pg_dist_transaction") ? 2 : 1;
    return { phases, tables: [...tables].sort() };
  });
}

/** The tables of the coordinator in each transaction of the work. A key's last use is not part of the call: it is noted once a minute. */
async function onCoordinator(work: () => Promise<unknown>): Promise<string[][]> {
  await committed();
  await work();
  return (await committed()).map(({ tables }) => tables).filter((tables) => tables.join() !== "api_keys");
}

/** Of the work's two-phase commits, the tables that the coordinator writes. */
async function inTwoPhases(work: () => Promise<unknown>): Promise<string[][]> {
  await committed();
  await work();
  return (await committed()).flatMap(({ phases, tables }) => (phases === 2 ? [tables] : []));
}

it("a create, a confirmation without limits and a callback commit on their partner's node alone; what brings them and the end of a payment on two", async () => {
  const { database, receiver } = on;
  const node = openPartnerNode(on, partner);
  const { ask } = await node.asKey();
  const post = (target: string, body: object) =>
    ask({ method: "POST", target: `/api/v1/settlements${target}`, body: JSON.stringify(body) });
  const make = async () => {
    const made = await post("", node.order());
    expect(made).toMatchObject({ status: 201 });
    return String(made.body.tx_id);
  };
  const accept = async (id: string) => {
    const given = { external_tx_id: `ref-${id}`, callback_url: `${receiver.origin}/` };
    expect((await post(`/${id}/confirm`, given)).status).toBe(200);
  };
  let id = "";
  const create = await onCoordinator(async () => {
    id = await make();
  });
  const confirm = await onCoordinator(() => accept(id));
  const bringing = await inTwoPhases(() => bringOutbox({ db: database.db }));
  const stateOf = async (what: "settlements" | "callbacks", column: string) => {
    const rows = await database.sql.unsafe(`select ${column} as state from ${what} where partner_id = '${partner.partnerId}'`);
    return rows.map(({ state }) => state);
  };
  const payment = await inTwoPhases(() => on.workUntil(async () => (await stateOf("settlements", "status")).includes("executed")));
  const callback = await inTwoPhases(async () => {
    const delivery = startDelivery({ db: database.db, sql: database.sql });
    await eventually(async () => ((await stateOf("callbacks", "state")).includes("delivered") ? true : null));
    await delivery.stop();
  });
  const limited = await make();
  const limit = {
    ...BLANK_LIMIT,
    kind: "velocity",
    mode: "enforce",
    countedBy: "partner",
    windowSeconds: 3_600,
    amountAtto: 10n ** 24n,
  } as const;
  await openLimits({ db: database.db }, [{ ...limit, id: "an-hour" }], "for a test");
  const confirmLimited = await inTwoPhases(() => accept(limited));
  const recorded = ["audit_entries", "audit_unsealed", "events"];
  expect({ create, confirm, bringing, payment, callback, confirmLimited }).toEqual({
    create: [],
    confirm: [],
    bringing: [[...recorded, "transfers"]],
    payment: [[...recorded, "ledger_entries", "ledger_postings", "network_fees", "transfers"]],
    callback: [],
    confirmLimited: [[...recorded, "exposure_counters", "payment_verdicts", "transfers"]],
  });
});

it.each(["there alone", "there and on the coordinator"])(
  "a transaction that writes %s fails where the node ends it before the commit",
  async (where) => {
    const { db, sql: admin } = on.database;
    const key = randomUUID();
    const failing = db.transaction(async (tx) => {
      await tx.execute(sql`insert into idempotency_keys
      (partner_id, method, path, key, body_sha256, response_status, response_headers, response_body, created_at)
      values (${partner.partnerId}::uuid, 'POST', '/', ${key}, '', 200, '', '', now())`);
      if (where !== "there alone")
        await tx.execute(sql`insert into nonces (api_key_id, nonce, burnt_at) values (${key}::uuid, ${key}::uuid, now())`);
      await openPartnerNode(on, partner).endConnections();
    });
    await expect(failing).rejects.toThrow();
    const stored = await admin`select 1 from idempotency_keys where partner_id = ${partner.partnerId} and key = ${key}`;
    const burnt = await admin`select 1 from nonces where nonce = ${key}`;
    expect([stored.length, burnt.length]).toEqual([0, 0]);
  },
);
