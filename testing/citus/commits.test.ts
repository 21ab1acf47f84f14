import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { withConnection } from "#sandbox/postgres/server.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { eventually, giveSecrets, startDelivery, testVault } from "#testing/callbacks.ts";
import type { TestPartner } from "#testing/factories.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { newAddress } from "#testing/transfers.ts";
import { inDatabase } from "./cluster.ts";
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

/** Of the work's two-phase commits, the tables that the coordinator writes. */
async function inTwoPhases(work: () => Promise<unknown>): Promise<string[][]> {
  await committed();
  await work();
  return (await committed()).flatMap(({ phases, tables }) => (phases === 2 ? [tables] : []));
}

it("a create, a confirmation and the end of a payment commit on two nodes, for these tables; a callback on its partner's alone", async () => {
  const { stage, database, receiver } = on;
  const ctx = { ...testContext(database.db), chains: stage.powers.chains, vault: testVault };
  const served = testSurfaceContext(ctx);
  const key = await issueKey(ctx, { partnerId: partner.partnerId });
  const { surface, bindings } = REGISTRY.settlement;
  const post = async (target: string, body: object) =>
    readAnswer(await handle(surface, served, bindings, signedRequest(key, { method: "POST", target, body: JSON.stringify(body) })));
  const { chain } = on.chain;
  const money = { source_amount: 100_000, source_currency: "KES", destination_currency: "USDT", external_merchant_id: "merchant-1", chain };
  let id: unknown = "";
  const create = await inTwoPhases(async () => {
    const made = await post("/api/v1/settlements", { ...money, wallet_address: newAddress() });
    id = made.body.tx_id;
    expect(made).toMatchObject({ status: 201 });
  });
  const confirm = await inTwoPhases(async () => {
    const given = { external_tx_id: "a reference", callback_url: `${receiver.origin}/` };
    expect((await post(`/api/v1/settlements/${id}/confirm`, given)).status).toBe(200);
  });
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
  const recorded = ["audit_entries", "audit_unsealed", "events"];
  expect({ create, confirm, payment, callback }).toEqual({
    create: [],
    confirm: [[...recorded, "transfers"]],
    payment: [[...recorded, "ledger_entries", "ledger_postings", "network_fees", "transfers"]],
    callback: [],
  });
});

/** Ends the coordinator's connections to the partner's node that are in a transaction. */
async function endConnections(): Promise<void> {
  const [place] = await on.database.sql<{ port: number }[]>`select nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('settlements', ${partner.partnerId}::uuid)`;
  const node = inject("testServer").nodes.find((url) => Number(new URL(url).port) === place?.port);
  const ended = await asSuperuser(
    (superuser) => superuser`select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`,
    node,
  );
  expect([...ended]).toEqual([{ ended: true }]);
}

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
      await endConnections();
    });
    await expect(failing).rejects.toThrow();
    const stored = await admin`select 1 from idempotency_keys where partner_id = ${partner.partnerId} and key = ${key}`;
    const burnt = await admin`select 1 from nonces where nonce = ${key}`;
    expect([stored.length, burnt.length]).toEqual([0, 0]);
  },
);
