import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase, scopedTo } from "#db/client.ts";
import { askOpenLimits, listExposures } from "#db/queries/exposure/open-quotes.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import type { LimitTerms } from "#domain/exposure-limit.ts";
import { Refusal } from "#domain/refusal.ts";
import { listPairs } from "#server/services/rates/list-pairs.ts";
import { cancelSettlement } from "#server/services/settlements/cancel-settlement.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setClockOffset, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { openLimits } from "./set-limit.ts";

const ATTO = 10n ** 18n;
/** PostgreSQL's `lock_not_available`. */
const LOCK_TIMEOUT = "55P03";
let database: TestDatabase;
let pool: OpenDatabase;
let partner: TestPartner;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({
    url: database.url,
    applicationName: "open-quotes",
    maxConnections: 20,
    role: database.role,
    layout: database.layout,
  });
  await addTerms(database.db, { platformFeeBase: 0n, spreadBps: 0, minimumSourceMinor: 100n, maximumSourceMinor: 1_000_000n });
  await setRate(database.db, "0.01");
  partner = await addPartner(database.db);
});
afterEach(async () => {
  await pool.close();
  await database.close();
});

const limit = (
  kind: "open_quotes" | "open_loss",
  units: bigint,
  more: Partial<LimitTerms & { id: string }> = {},
): LimitTerms & { id: string } => ({
  id: kind.replace("_", "-"),
  kind,
  mode: "enforce",
  purpose: null,
  partnerId: null,
  sourceCurrency: "KES",
  destinationCurrency: null,
  chain: null,
  countedBy: null,
  windowSeconds: null,
  amountAtto: units * ATTO,
  timesMaximum: null,
  waitSeconds: null,
  addresses: null,
  ...more,
});
const put = (...limits: (LimitTerms & { id: string })[]) => openLimits({ db: database.db }, limits, "because of a test");

/** In the transaction of a request, as that partner's own work. `patience`: how long it waits for a lock, where that is not the usual time. */
async function quote(units: number, who = partner, patience: string | null = null) {
  const db = scopedTo(pool.db, { of: "partner", id: who.partnerId });
  return await db.transaction(async (tx) => {
    if (patience !== null) await tx.execute(sql.raw(`set local lock_timeout = '${patience}'`));
    return await createSettlement(
      { db: tx, chains: testChains },
      {
        ...who,
        sourceAmountMinor: BigInt(units) * 100n,
        sourceCurrency: "KES",
        destinationCurrency: "USDT",
        externalMerchantId: "merchant",
        chain: TEST_CHAIN.chain,
        walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
        callbackUrl: "http://localhost:9/callback",
      },
    );
  });
}
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "quoted",
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );
const quoting = async () => (await listPairs({ db: database.db, chains: testChains }, partner))[0]?.quoting;

describe("a limit on open quotes", () => {
  it("refuses what would exceed it, of all partners together, and says so in the list of pairs", async () => {
    await put(limit("open_quotes", 1_000n));
    const other = await addPartner(database.db);
    expect(await quoting()).toBe("up");
    expect(await outcome(quote(600, other))).toBe("quoted");
    expect(await outcome(quote(401))).toBe("liquidity_unavailable");
    expect(await outcome(quote(400))).toBe("quoted");
    expect(await quoting()).toBe("down");
    expect(await outcome(quote(1))).toBe("liquidity_unavailable");
  });

  it("counts everybody's in a partner's own work, which sees its own rows alone", async () => {
    await put(limit("open_quotes", 1_000n));
    await quote(600, await addPartner(database.db));
    await quote(100);
    const pair = { sourceCurrency: "KES", destinationCurrency: "USDT", chain: TEST_CHAIN.chain };
    const found = await scopedTo(pool.db, { of: "partner", id: partner.partnerId }).transaction(async (tx) => {
      const [limits] = await askOpenLimits(tx, [{ ...pair, partnerId: partner.partnerId }]);
      const seen = await tx.execute<{ partner: string }>(sql`select partner_id::text as partner from settlements`);
      return { open: limits?.map(({ openAtto }) => openAtto / ATTO), seen: seen.map((row) => row.partner) };
    });
    expect(found).toEqual({ open: [700n], seen: [partner.partnerId] });
  });

  it("has room again once a quote is cancelled or has expired, and none while a payment is on its way", async () => {
    await put(limit("open_quotes", 1_000n));
    const [first, second] = [await quote(500), await quote(500)];
    expect(await outcome(quote(500))).toBe("liquidity_unavailable");
    await cancelSettlement({ db: database.db }, { ...partner, id: first.id });
    expect(await outcome(quote(500))).toBe("quoted");
    const confirmed = { ...partner, id: second.id, externalTxId: "ref-1", callbackUrl: null, expectedDestinationAmount: null };
    await confirmSettlement({ db: database.db }, confirmed);
    await setClockOffset(database.db, 3_600_000);
    await setRate(database.db, "0.01");
    // The quoted one has expired; the confirmed one has not been paid.
    expect(await outcome(quote(501))).toBe("liquidity_unavailable");
    expect(await outcome(quote(500))).toBe("quoted");
  });

  // One quote after another has the limit's lock. A caller that waits for it for too long gets 503, and asks again.
  it.each([
    ["", null],
    [", though nearly each of them gives way to the others first", "40ms"],
  ])("is never exceeded by many quotes at once%s", async (_how, patience) => {
    await put(limit("open_quotes", 50_000n));
    let gaveWay = 0;
    const untilAnswered = async (): Promise<string> => {
      const asked = quote(3_000, partner, patience);
      const code = await asked.then(
        () => null,
        (error: unknown) => databaseErrorOf(error)?.code ?? null,
      );
      if (code !== LOCK_TIMEOUT) return await outcome(asked);
      gaveWay += 1;
      return await untilAnswered();
    };
    const outcomes = await Promise.all(Array.from({ length: 60 }, untilAnswered));
    if (patience !== null) expect(gaveWay).toBeGreaterThan(10);
    const quoted = outcomes.filter((one) => one === "quoted").length;
    expect([quoted, outcomes.filter((one) => one === "liquidity_unavailable").length]).toEqual([16, 44]);
    expect((await listExposures(database.db))[0]?.openMinor).toBe(4_800_000n);
  });

  it("for one partner leaves the others theirs, and takes the place of the one for everybody", async () => {
    const other = await addPartner(database.db);
    await put(limit("open_quotes", 0n), limit("open_quotes", 100n, { id: "theirs", partnerId: partner.partnerId }));
    expect(await outcome(quote(100))).toBe("quoted");
    expect(await outcome(quote(1))).toBe("liquidity_unavailable");
    expect(await outcome(quote(1, other))).toBe("liquidity_unavailable");
  });

  it("of another currency, or that is off, concerns nothing", async () => {
    await put(limit("open_quotes", 0n, { sourceCurrency: "NGN" }), limit("open_quotes", 0n, { id: "off", mode: "off" }));
    expect(await outcome(quote(100))).toBe("quoted");
  });

  it("holds no confirmation", async () => {
    const { id } = await quote(500);
    await put(limit("open_quotes", 0n), limit("open_loss", 0n));
    const confirmed = { ...partner, id, externalTxId: "ref-2", callbackUrl: null, expectedDestinationAmount: null };
    expect((await confirmSettlement({ db: database.db }, confirmed)).settlement.status).toBe("processing");
    expect(await database.sql`select id from payment_holds where owner_id = ${id}`).toHaveLength(0);
  });
});

describe("the exposure", () => {
  it("is what the open quotes cost at the present rate beyond what they were priced at", async () => {
    await quote(1_000);
    await setRate(database.db, "0.008");
    // 10 USDT were priced at 1,000 KES, and cost 1,250 now.
    const exposure = { pair: "KES/USDT", currency: "KES", quotes: 1, openMinor: 100_000n };
    expect(await listExposures(database.db)).toEqual([{ ...exposure, lossAtto: 250n * ATTO }]);
    await setRate(database.db, "0.0125");
    expect(await listExposures(database.db)).toEqual([{ ...exposure, lossAtto: -200n * ATTO }]);
  });

  it("stops quoting at its limit, and resumes once the rate comes back", async () => {
    await quote(1_000);
    await put(limit("open_loss", 250n));
    expect(await outcome(quote(1))).toBe("quoted");
    await setRate(database.db, "0.008");
    expect(await outcome(quote(1))).toBe("liquidity_unavailable");
    expect(await quoting()).toBe("down");
    await setRate(database.db, "0.0099");
    expect(await outcome(quote(1))).toBe("quoted");
  });

  it("of a quote that awaits its approval is none: the approval prices it again", async () => {
    expect((await quote(10_001)).approvalState).toBe("pending");
    await setRate(database.db, "0.008");
    expect(await listExposures(database.db)).toMatchObject([{ quotes: 1, openMinor: 1_000_100n, lossAtto: 0n }]);
  });
});
