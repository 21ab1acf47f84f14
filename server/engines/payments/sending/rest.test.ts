import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimQueuedTransfers, restTransfers } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";

const CHAIN = "eip155:1";

let database: TestDatabase;
let id: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.sql`delete from transfers`;
  id = await owe();
});
afterAll(() => database.close());

async function owe(): Promise<string> {
  const now = new Date(Date.now() - 10);
  const owed = { purpose: "settlement", ownerId: newId("settlement", now), partnerId: null, chain: CHAIN, now } as const;
  const what = { currency: "ETH", tokenAddress: null, tokenDecimals: 18, amountBase: 1n, recipient: "0x01" };
  return (await plantTransfer(database.db, { ...owed, ...what }))?.id ?? "";
}

async function claim(): Promise<string[]> {
  const wallets = { held: [], known: [] };
  const claimed = await claimQueuedTransfers(database.db, { chain: CHAIN, limit: 10, token: randomUUID(), wallets });
  return claimed.map((transfer) => transfer.id);
}

const rest = (ids = [id]) => restTransfers(database.db, ids, { kind: "treasury_funding", reason: "It is empty.", restMs: 60_000 });

it("a payment that rests has no lease, and is left alone until its rest is over", async () => {
  expect(await claim()).toEqual([id]);
  await rest();
  await database.sql`update transfers set lease_until = null`;
  expect(await claim()).toEqual([]);
  await database.sql`update transfers set rest_until = clock_timestamp() - interval '1 second'`;
  expect(await claim()).toEqual([id]);
});

it("workers of this release and of the one before leave each other's resting payments alone", async () => {
  // As the previous release postpones: by a lease without a holder.
  await database.sql`update transfers set lease_until = clock_timestamp() + interval '1 minute', lease_token = null`;
  expect(await claim()).toEqual([]);
  await database.sql`update transfers set lease_until = null`;
  // Of many, so that two readings of a clock would differ for some.
  const ids = [id, ...(await Promise.all(Array.from({ length: 199 }, owe)))];
  await rest(ids);
  const rows = await database.sql`select distinct lease_token, lease_until = rest_until as read_by_both from transfers`;
  expect([...rows]).toEqual([{ lease_token: null, read_by_both: true }]);
});
