import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Database, type OpenDatabase, openDatabase } from "#db/client.ts";
import { askBeforeSigning, askConfirming } from "#db/queries/exposure/ask-limits.ts";
import { addCharges } from "#db/queries/exposure/counters.ts";
import { BLANK_LIMIT } from "#domain/default-limits.ts";
import { HOUR_SECONDS, type LimitTerms } from "#domain/exposure-limit.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { eventually } from "#testing/callbacks.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { endLimits } from "#testing/limits.ts";
import { openLimits } from "./set-limit.ts";

/** A limit that comes in force while a payment waits to be judged by another. */

const FIRST = "0x52908400098527886E0F7030069857D2E4169EE7";
const SECOND = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const VELOCITY: Omit<LimitTerms, "countedBy"> = {
  ...BLANK_LIMIT,
  kind: "velocity",
  mode: "enforce",
  windowSeconds: HOUR_SECONDS,
  amountAtto: 15n * 10n ** 18n,
};

let database: TestDatabase;
let pool: OpenDatabase;
let partner: TestPartner;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: "limits", maxConnections: 10, layout: database.layout });
  await addTerms(database.db, { platformFeeBase: 0n, maximumSourceMinor: 1_000_000n });
  await setRate(database.db, "0.01");
});
afterAll(async () => {
  await pool.close();
  await database.close();
});
beforeEach(async () => {
  await endLimits(database.sql);
  partner = await addPartner(database.db);
});

/** 10 USDT to a wallet. */
async function quote(walletAddress: string) {
  const pair = { sourceCurrency: "KES", destinationCurrency: "USDT", chain: TEST_CHAIN.chain, externalMerchantId: "merchant-1" };
  const order = { ...partner, ...pair, sourceAmountMinor: 100_000n, walletAddress, callbackUrl: null };
  return await createSettlement({ db: pool.db, chains: testChains }, order);
}

/** A transaction that ends on command, and the statements that it has sent. */
function begin<Answer>(ask: (tx: Database) => Promise<Answer>) {
  const end = Promise.withResolvers<(tx: Database) => Promise<unknown>>();
  const asked = Promise.withResolvers<Answer>();
  const over = pool.db.transaction(async (tx) => {
    await tx.execute("set local lock_timeout = '100s'");
    asked.resolve(await ask(tx));
    await (await end.promise)(tx);
  });
  over.catch(asked.reject);
  const finish = async (last: (tx: Database) => Promise<unknown> = async () => {}) => {
    end.resolve(last);
    await over;
  };
  return { asked: asked.promise, finish };
}

/** How many wait for a counter. */
async function waiting(count: number): Promise<void> {
  await eventually(async () => {
    const rows = await database.sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;
    return rows.length === count ? true : null;
  });
}

type Ask = (wallet: string) => Promise<(tx: Database) => ReturnType<typeof askConfirming>>;

const ASKS: Record<string, Ask> = {
  "to be confirmed": async (wallet) => {
    const { id } = await quote(wallet);
    return (tx) => askConfirming(tx, [{ id, partnerId: partner.partnerId, apiKeyId: null }]);
  },
  "to be signed": async (wallet) => {
    const { id } = await quote(wallet);
    const values = { externalTxId: id, callbackUrl: "https://receiver.example/callback", expectedDestinationAmount: null };
    await confirmSettlement({ db: pool.db }, { ...partner, ...values, id });
    await bringOutbox({ db: database.db });
    const [row] = await database.sql<{ id: string }[]>`select id from transfers where owner_id = ${id}`;
    return (tx) => askBeforeSigning(tx, [row?.id ?? ""], null);
  },
};

for (const [what, ask] of Object.entries(ASKS)) {
  it(`counts one after the other also by a limit that came while a payment ${what} waited for another's counter`, async () => {
    const [askFirst, askSecond] = [await ask(FIRST), await ask(SECOND)];
    const stage = what.replaceAll(" ", "-");
    const [before, between] = [`before-${stage}`, `between-${stage}`];
    await openLimits(pool, [{ ...VELOCITY, countedBy: "destination", id: before }], "for a test");
    const holder = begin(askFirst);
    await holder.asked;
    const one = begin(askFirst);
    await waiting(1);
    await openLimits(pool, [{ ...VELOCITY, countedBy: "all", id: between }], "for a test");
    await holder.finish();
    const [outcome] = await one.asked;
    expect(outcome?.limits.map(({ id, usedAtto }) => [id, usedAtto])).toEqual([
      [before, 0n],
      [between, 0n],
    ]);
    const other = begin(askSecond);
    await Promise.race([waiting(1), other.asked]);
    const begins = new Date().toISOString();
    await one.finish((tx) => addCharges(tx, [{ limitId: between, counter: "*", begins, amountAtto: 10n * 10n ** 18n }]));
    const [otherQuote] = await other.asked;
    expect(otherQuote?.limits.find(({ id }) => id === between)?.usedAtto).toBe(10n * 10n ** 18n);
    await other.finish();
    await database.sql`delete from exposure_counters`;
  });
}
