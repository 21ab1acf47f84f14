import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listShares } from "#db/lease.ts";
import { REGISTRY } from "#server/rest/registry.ts";
import { handle } from "#server/rest/surface.ts";
import { revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { sealAuditLog, walkAuditChain } from "#server/services/audit/seal-audit-log.ts";
import { pauseReceiver, resumeReceiver } from "#server/services/callbacks/pause-receiver.ts";
import { haltScope, listOpenHalts, orderHalt } from "#server/services/halts/halt-scope.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { giveSecrets, startDelivery } from "#testing/callbacks.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import type { TestPartner } from "#testing/factories.ts";
import { liftHalts } from "#testing/halts.ts";
import { addProvenPerson } from "#testing/people.ts";
import { issueKey, readAnswer, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { newAddress } from "#testing/transfers.ts";
import { type CitusStage, type OwnCluster, openCitusStage, openOwnCluster } from "./stage.ts";

/** A worker node is lost for a while: its partners wait, the others go on, money can be stopped, and nothing is lost or paid twice. */

let own: OwnCluster;
let on: CitusStage;
let onLost: TestPartner[];
let onOther: TestPartner[];
beforeAll(async () => {
  own = await openOwnCluster("lost");
  on = await openCitusStage({ partners: 8, database: own.database });
  const port = Number(new URL(lost()?.adminUrl ?? "").port);
  const places = await Promise.all(on.stage.partners.map(({ partnerId }) => nodeOf(partnerId)));
  onLost = on.stage.partners.filter((_, index) => places[index] === port);
  onOther = on.stage.partners.filter((_, index) => places[index] !== port);
  expect(Math.min(onLost.length, onOther.length)).toBeGreaterThan(0);
});
afterAll(async () => {
  await on.close();
  await own.stop();
});

const lost = () => own.cluster.workers[0];

/** The port of the node that has a partner's rows. */
async function nodeOf(partnerId: string): Promise<number> {
  const [row] = await on.database.sql<{ port: number }[]>`select nodeport as port from citus_shards
    where shardid = get_shard_id_for_distribution_column('settlements', ${partnerId}::uuid)`;
  return row?.port ?? 0;
}

/** How many of their settlements are not paid. Each partner's node is asked alone. */
async function openOf(partners: readonly TestPartner[]): Promise<number> {
  const counts = await Promise.all(
    partners.map(async ({ partnerId }) => {
      const [row] = await on.database.sql<{ count: number }[]>`
        select count(*)::int as count from settlements where partner_id = ${partnerId} and status = 'processing'`;
      return row?.count ?? 0;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function oweAll(partners: readonly TestPartner[]): Promise<{ id: string; wallet: string }[]> {
  const owed = [];
  for (const partner of partners) owed.push(await on.owe(partner));
  return owed;
}

/** The node is there again, and so is each connection to it. */
async function bringBack(): Promise<void> {
  await lost()?.startAgain();
  await on.workUntil(async () => {
    return await openOf(onLost).then(
      () => true,
      () => false,
    );
  });
}

/** That each was paid, and once: the wallets are new, and each settlement pays the same. */
async function expectAllPaidOnce(owed: readonly { wallet: string }[]): Promise<void> {
  await on.workUntil(async () => (await openOf(on.stage.partners)) === 0);
  const balances = await Promise.all(owed.map(({ wallet }) => on.stage.tokenBalance(wallet)));
  const amounts = await on.database.sql<{ base: string }[]>`
    select destination_amount_base::text as base from settlements where wallet_address = any(${owed.map(({ wallet }) => wallet)})`;
  expect(balances.map(String).toSorted()).toEqual(amounts.map(({ base }) => base).toSorted());
  await expectCleanAudit({ db: on.database.db });
}

const unpaid = async (owed: readonly { wallet: string }[]) => {
  for (const { wallet } of owed) expect(await on.stage.tokenBalance(wallet)).toBe(0n);
};

/** More passes than a payment takes. */
async function tenPasses(): Promise<void> {
  let passes = 0;
  await on.workUntil(async () => {
    passes += 1;
    return passes === 10;
  });
}

describe("while a worker node is away", () => {
  it("its partners are refused, the others are paid, and all are paid once it is back", async () => {
    const owed = await oweAll(on.stage.partners);
    // Where a pair is halted, the pair of each payment is looked at, which is on its partner's node.
    const scope = { kind: "pair", key: "TZS USDT eip155:1" } as const;
    await on.database.db.transaction((tx) => haltScope(tx, { scope, cause: "operator", detail: "For a test." }));
    await lost()?.halt();
    for (const partner of onLost) await expect(on.owe(partner)).rejects.toThrow();
    owed.push(...(await oweAll(onOther)));
    // The others' payments are made and their settlements end while the node is away.
    await on.workUntil(async () => (await openOf(onOther)) === 0);
    const idsOf = (partners: readonly TestPartner[]) => partners.map(({ partnerId }) => partnerId).toSorted();
    const due = await listShares(on.database.db, "callbacks");
    expect(due.flatMap((share) => (share.of === "partner" ? [share.id] : [])).toSorted()).toEqual(idsOf(onOther));
    // What its partners confirmed before waits on it, with the payments.
    const paid = await on.database.sql<{ id: string }[]>`select distinct partner_id as id from transfers order by 1`;
    expect(paid.map(({ id }) => id)).toEqual(idsOf(onOther));
    await bringBack();
    owed.push(...(await oweAll(onLost)));
    await expectAllPaidOnce(owed);
    await liftHalts(on.database.sql);
  });

  it("a person halts everything: nobody is paid, and once it is back nobody is before the halt is lifted", async () => {
    const { by } = await addProvenPerson(on.database.db, "admin");
    const owed = await oweAll(on.stage.partners);
    await lost()?.halt();
    await orderHalt({ ...on.stage.ctx, db: on.database.web }, { by, scope: { kind: "all", key: "*" }, reason: "A node is away." });
    for (const partner of onOther) await expect(on.owe(partner)).rejects.toThrow("paused");
    await tenPasses();
    await unpaid(owed);
    await bringBack();
    await tenPasses();
    await unpaid(owed);
    await liftHalts(on.database.sql);
    await expectAllPaidOnce(owed);
  });

  it("a worker that meets an unknown transaction halts by itself, and pays nobody", async () => {
    const owed = await oweAll(on.stage.partners);
    const [wallet] = await on.database.sql<{ nonce: number }[]>`select next_nonce as nonce from wallets`;
    await lost()?.halt();
    await on.stage.spendOutside(on.stage.keys[0] ?? "0x", wallet?.nonce ?? 0);
    await on.chain.mine();
    await tenPasses();
    expect(await listOpenHalts({ db: on.database.db })).toMatchObject([{ cause: "foreign_nonce" }]);
    await unpaid(owed);
    await bringBack();
    await tenPasses();
    await unpaid(owed);
    await liftHalts(on.database.sql);
    await expectAllPaidOnce(owed);
  });

  it("a key is revoked, and its requests are refused from then on", async () => {
    const [partner] = onOther;
    const { by } = await addProvenPerson(on.database.db, "admin");
    const ctx = testContext(on.database.db);
    const key = await issueKey(ctx, { partnerId: partner?.partnerId ?? "" });
    const { surface, bindings } = REGISTRY.settlement;
    const served = testSurfaceContext(ctx);
    const ask = async () => readAnswer(await handle(surface, served, bindings, signedRequest(key, { target: "/api/v1/settlements/tx_0" })));
    expect((await ask()).status).toBe(404);
    await lost()?.halt();
    expect((await ask()).status).toBe(404);
    await revokeApiKey({ ...ctx, db: on.database.web }, { id: key.id, by });
    expect((await ask()).status).toBe(401);
    await bringBack();
    expect((await ask()).status).toBe(401);
  });

  it("a receiver is paused, and gets nothing until it is resumed", async () => {
    const [partner] = onOther;
    if (partner === undefined) throw new Error("there is no partner");
    const { by } = await addProvenPerson(on.database.db, "admin");
    await giveSecrets(on.database.db, partner);
    await lost()?.halt();
    const pause = { partnerId: null, by, origin: on.receiver.origin, reason: "It is moved." };
    await pauseReceiver({ db: on.database.web }, pause);
    const before = on.receiver.requests.length;
    const delivery = startDelivery({ db: on.database.db, sql: on.database.sql });
    const owed = await oweAll([partner]);
    await on.workUntil(async () => (await openOf([partner])) === 0);
    await tenPasses();
    expect(on.receiver.requests.length).toBe(before);
    await resumeReceiver({ db: on.database.web }, pause);
    await on.workUntil(async () => on.receiver.requests.length > before);
    await bringBack();
    await delivery.stop();
    await expectAllPaidOnce(owed);
  });

  it("the events of others' new settlements come, no seal claims to be complete, and its own come once it is back", async () => {
    const worker = { db: on.database.db };
    await bringOutbox(worker);
    while ((await sealAuditLog(worker)).sealed > 0);
    const create = async (partner: TestPartner | undefined) => {
      if (partner === undefined) throw new Error("there is no partner");
      return (await on.stage.quote(partner, { amountMinor: 100_000n, wallet: newAddress() })).id;
    };
    const [there, away] = [await create(onOther[0]), await create(onLost[0])];
    const come = async () => {
      const rows = await on.database.sql<{ id: string }[]>`select object_id as id from events where object_id in (${there}, ${away})`;
      return rows.map(({ id }) => id).toSorted();
    };
    const sealed = async () => {
      expect((await sealAuditLog(worker)).sealed).toBe(1);
      const [seal] = await on.database.sql`select complete_at is not null as complete from audit_seals order by seq desc limit 1`;
      return seal?.complete;
    };
    await lost()?.halt();
    await bringOutbox(worker);
    expect(await come()).toEqual([there]);
    expect(await sealed()).toBe(false);
    await bringBack();
    await bringOutbox(worker);
    expect(await come()).toEqual([there, away].toSorted());
    expect(await sealed()).toBe(true);
    expect((await walkAuditChain(on.database.db)).flaws).toEqual([]);
  });
});
