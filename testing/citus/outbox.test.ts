import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { scopedTo } from "#db/client.ts";
import { burnNonce, deleteOldNonces, findNonceUse } from "#db/queries/access/nonces.ts";
import { bringFromOutbox } from "#db/queries/settlements/outbox.ts";
import { sealAuditLog, walkAuditChain } from "#server/services/audit/seal-audit-log.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { cancelSettlement } from "#server/services/settlements/cancel-settlement.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import type { TestPartner } from "#testing/factories.ts";
import { newAddress } from "#testing/transfers.ts";
import { openPartnerNode, type PartnerNode } from "./partner-node.ts";
import { type CitusStage, openCitusStage } from "./stage.ts";

/** What a create leaves on its partner's node: its nonce, and an outbox with its audit entry and its event. */

let on: CitusStage;
let partner: TestPartner;
let other: TestPartner;
let at: PartnerNode;
beforeAll(async () => {
  on = await openCitusStage({ partners: 2 });
  const [one, two] = on.stage.partners;
  if (one === undefined || two === undefined) throw new Error("there are no partners");
  partner = one;
  other = two;
  at = openPartnerNode(on, partner);
});
afterAll(() => on.close());

const worker = () => ({ db: on.database.db });
const create = async (whose = partner) => (await on.stage.quote(whose, { amountMinor: 100_000n, wallet: newAddress() })).id;

beforeEach(async () => {
  await bringOutbox(worker());
});

describe("a new settlement", () => {
  it("leaves its entry and event on its node, and a worker brings both, once, to be sealed", async () => {
    const id = await create();
    expect(await at.placesOf(id)).toMatchObject({ waits: 1, entries: 0, events: [] });
    await Promise.all([bringOutbox(worker()), bringOutbox(worker()), bringOutbox(worker())]);
    await bringOutbox(worker());
    const kept = await at.placesOf(id);
    expect(kept).toMatchObject({ waits: 0, entries: 1, unsealed: 1, events: [{ version: 1, position: kept.counted }] });
    while ((await sealAuditLog(worker())).sealed > 0);
    expect((await at.placesOf(id)).unsealed).toBe(0);
    expect((await walkAuditChain(on.database.db)).flaws).toEqual([]);
    const [seal] = await on.database.sql`select complete_at from audit_seals order by seq desc limit 1`;
    expect(seal?.complete_at).not.toBe(null);
  });

  it("brings its own at once where a change takes two phases: its events are in order", async () => {
    const id = await create();
    await cancelSettlement({ db: on.database.db }, { partnerId: partner.partnerId, id, by: partner.by });
    const kept = await at.placesOf(id);
    expect(kept).toMatchObject({ waits: 0, entries: 2, events: [{ version: 1 }, { version: 2 }] });
    expect(kept.events.map(({ position }) => position)).toEqual([kept.counted, kept.counted]);
  });

  it("changed in a transaction older than the one that brought it, still has its events in order", async () => {
    const id = await create();
    const { db } = on.database;
    await db.transaction(async (older) => {
      await older.execute(sql`select pg_current_xact_id()`);
      expect(await bringFromOutbox(db, partner.partnerId)).toBe(1);
      await cancelSettlement({ db: older }, { partnerId: partner.partnerId, id, by: partner.by });
    });
    const kept = await at.placesOf(id);
    expect(kept.events.map(({ version }) => version)).toEqual([1, 2]);
    expect(kept.events[1]?.position).toBe(kept.events[0]?.position);
  });

  it("is left where another transaction changes it, and neither waits for the other", async () => {
    const [changed, free] = [await create(), await create()];
    await on.database.db.transaction(async (tx) => {
      await tx.execute(sql`select id from settlements where partner_id = ${partner.partnerId}::uuid and id = ${changed} for update`);
      expect(await bringFromOutbox(on.database.db, partner.partnerId)).toBe(1);
    });
    expect([(await at.placesOf(changed)).waits, (await at.placesOf(free)).waits]).toEqual([1, 0]);
  });

  it("loses nothing where the node ends the connection of who brings it: the next one does", async () => {
    const id = await create();
    const failing = on.database.db.transaction(async (tx) => {
      await bringFromOutbox(tx, partner.partnerId);
      await at.endConnections();
    });
    await expect(failing).rejects.toThrow();
    expect(await at.placesOf(id)).toMatchObject({ waits: 1, entries: 0, events: [] });
    await bringOutbox(worker());
    expect(await at.placesOf(id)).toMatchObject({ waits: 0, entries: 1, events: [{ version: 1 }] });
  });

  it("is among its partner's events without a worker, once no older transaction runs", async () => {
    const { ask, key } = await at.asKey();
    const made = await ask({ method: "POST", target: "/api/v1/settlements", body: JSON.stringify(at.order()) });
    expect(made.status).toBe(201);
    const listed = async () => {
      const { body } = await ask({ target: "/api/v1/events?limit=100&types=settlement.created" });
      return (body.data as { object_id: string }[]).map(({ object_id }) => object_id);
    };
    await expect.poll(listed, { timeout: 20_000 }).toContain(made.body.tx_id);
    const [entry] = await on.database.sql`select actor_id, partner_id from audit_entries where object_id = ${String(made.body.tx_id)}`;
    expect(entry).toEqual({ actor_id: key.id, partner_id: partner.partnerId });
  });

  it("belongs to the partner of its node, whatever the outbox's row says", async () => {
    const us = scopedTo(on.database.web, { of: "partner", id: partner.partnerId });
    const id = await create();
    const seen = await scopedTo(on.database.web, { of: "partner", id: other.partnerId }).execute(sql`select 1 from citus_outbox`);
    expect(seen.length).toBe(0);
    const write = (whose: TestPartner) =>
      us.execute(sql`insert into citus_outbox (partner_id, settlement_id, version, entry)
        values (${whose.partnerId}::uuid, ${randomUUID()}, 9, '{}')`);
    await expect(write(other)).rejects.toMatchObject({ cause: { message: expect.stringContaining("row-level security") } });
    await on.database
      .sql`update citus_outbox set entry = (entry::jsonb || ${JSON.stringify({ partner_id: other.partnerId })}::text::jsonb)::json
      where partner_id = ${partner.partnerId} and settlement_id = ${id}`;
    await bringOutbox(worker());
    expect(await at.placesOf(id)).toMatchObject({ entries: 1 });
  });

  it("leaves books and events that the audit finds right", () => expectCleanAudit(worker()));
});

describe("a nonce of a partner's key", () => {
  it.each(["POST", "GET"])("is spent on its node, and lets one of ten copies of a %s pass", async (method) => {
    const { ask, key } = await at.asKey();
    const nonce = randomUUID();
    const parts =
      method === "GET" ? { target: "/api/v1/settlements?limit=1" } : { target: "/api/v1/settlements", body: JSON.stringify(at.order()) };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask({ ...parts, method, nonce })));
    const passed = answers.filter(({ status }) => status < 300);
    const refused = answers.filter(({ status, body }) => status === 401 && body.code === "nonce_reused");
    expect([passed.length, refused.length]).toEqual([1, 9]);
    const [row] = await on.database.sql`select (select count(*)::int from citus_nonces where partner_id = ${partner.partnerId}
      and api_key_id = ${key.id} and nonce = ${nonce}) as there, (select count(*)::int from nonces where nonce = ${nonce}) as whole`;
    expect(row).toEqual({ there: 1, whole: 0 });
  });

  it("is not spent by a key that has changed, and is found and deleted where it is", async () => {
    const { db } = on.database;
    const { ask, key } = await at.asKey();
    const nonce = randomUUID();
    const owner = { apiKeyId: key.id, partnerId: partner.partnerId };
    expect(await burnNonce(db, { ...owner, keyVersion: "another", nonce })).toBe("key_changed");
    // With its work the nonce's row is written at the same time: the work must not be committed.
    const work = db.transaction(async (tx) => {
      throw new Error(await burnNonce(tx, { ...owner, keyVersion: "another", nonce }));
    });
    await expect(work).rejects.toThrow("key_changed");
    expect(await findNonceUse(db, owner, nonce)).toBe(null);
    expect((await ask({ target: "/api/v1/settlements?limit=1", nonce })).status).toBe(200);
    expect(await findNonceUse(db, owner, nonce)).not.toBe(null);
    await on.database
      .sql`update citus_nonces set burnt_at = now() - interval '21 minutes' where partner_id = ${partner.partnerId} and nonce = ${nonce}`;
    expect(await deleteOldNonces(db, 20 * 60, 5_000)).toBe(1);
    expect(await findNonceUse(db, owner, nonce)).toBe(null);
  });
});
