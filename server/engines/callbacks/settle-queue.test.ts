import { randomUUID } from "node:crypto";
import { inArray } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { listShares } from "#db/lease.ts";
import { type ClaimedCallback, claimDueCallbacks } from "#db/queries/callbacks/due-callbacks.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import type { Log } from "#server/ports.ts";
import { addSigningPartner, enqueueTestCallback, eventually, type SigningPartner, silentLog } from "#testing/callbacks.ts";
import type { TestDatabase } from "#testing/database.ts";
import { createPartsDatabase } from "#testing/parts.ts";
import type { EndedAttempt } from "./settle-attempts.ts";
import { SettleQueue } from "./settle-queue.ts";

const URL = "https://receiver.example/callbacks";
const ROOM = { limit: 10, rooms: {}, otherwise: 10, closedPartners: [] };

let database: TestDatabase;
let owner: postgres.Sql;
let partners: SigningPartner[];
let queue: SettleQueue;
const warned: string[][] = [];
const failed: string[] = [];
const written: string[] = [];
beforeAll(async () => {
  database = await createPartsDatabase();
  owner = postgres(database.url, { max: 1, onnotice: () => {} });
  await owner.unsafe(`
    create table blocked (partner_id uuid primary key);
    grant select on blocked to public;
    create function refuse_blocked() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from blocked b where b.partner_id = new.partner_id) then raise exception 'this part cannot be written' using errcode = '55P03'; end if;
      return new;
    end $$;
    create trigger refuse_blocked before update of delivered_at on callbacks for each row execute function refuse_blocked()`);
});
beforeEach(async () => {
  partners = [await addSigningPartner(database.db), await addSigningPartner(database.db)];
  for (const list of [warned, failed, written]) list.length = 0;
  const log: Log = {
    ...silentLog,
    warn: (fields) => void warned.push("callbacks" in fields ? (fields.callbacks as string[]) : []),
    error: (_, message) => void failed.push(message),
  };
  queue = new SettleQueue({ db: database.db, log }, ({ id }) => void written.push(id));
});
afterEach(async () => {
  await owner`delete from blocked`;
  await queue.finish(5_000);
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

/** One callback of each partner, claimed, and its attempt answered. */
async function ended(): Promise<EndedAttempt[]> {
  const claimed: ClaimedCallback[] = [];
  for (const partner of partners) await enqueueTestCallback(database.db, partner, URL);
  for (const share of await listShares(database.db, "callbacks"))
    claimed.push(...(await claimDueCallbacks(database.db, randomUUID(), ROOM, new Date(), share)));
  const answer = { status: 200, responseHeaders: {}, responseBody: "", responseBytes: 0, remoteAddress: null, durationMs: 1 };
  const timings = { resolveMs: null, connectMs: null, secureMs: null, firstByteMs: null };
  return claimed.map((callback) => {
    return { callback, requestHeaders: {}, outcome: { ...answer, timings, trouble: null } as never, endedAt: performance.now() };
  });
}

const idsOf = (ends: readonly EndedAttempt[]) => ends.map(({ callback }) => callback.id);
async function deliveredOf(ids: readonly string[]): Promise<string[]> {
  const rows = await database.db
    .select()
    .from(callbacks)
    .where(inArray(callbacks.id, [...ids]));
  return rows.flatMap(({ id, state }) => (state === "delivered" ? [id] : []));
}

it("a part that cannot be written is repeated alone: the others' ends are written once, and nobody is called late", async () => {
  const ends = await ended();
  const [stuck, fine] = ends;
  expect(ends).toHaveLength(2);
  await owner`insert into blocked values (${stuck?.callback.partnerId ?? ""})`;
  for (const end of ends) queue.push(end);
  await eventually(async () => (failed.length > 1 ? true : null));
  expect(written).toEqual([fine?.callback.id]);
  expect(await deliveredOf(idsOf(ends))).toEqual([fine?.callback.id]);
  await owner`delete from blocked`;
  await eventually(async () => (written.length === 2 ? true : null));
  expect((await deliveredOf(idsOf(ends))).toSorted()).toEqual(idsOf(ends).toSorted());
  expect(written.toSorted()).toEqual(idsOf(ends).toSorted());
  expect(warned).toEqual([]);
});

it("an end whose lease another worker has is called late, and changes nothing", async () => {
  const ends = await ended();
  const [late] = ends;
  await database.db
    .update(callbacks)
    .set({ leaseToken: randomUUID() })
    .where(inArray(callbacks.id, [late?.callback.id ?? ""]));
  for (const end of ends) queue.push(end);
  await eventually(async () => (written.length === 2 ? true : null));
  expect(warned).toEqual([[late?.callback.id]]);
  expect(await deliveredOf(idsOf(ends))).toEqual(idsOf(ends).slice(1));
});
