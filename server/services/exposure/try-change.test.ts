import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLimit, type WrittenLimit } from "#domain/written-limit.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { testContext } from "#testing/surface.ts";
import { tryChange } from "./try-change.ts";

const [KNOWN, OTHER] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];
const HOUR = 3_600_000;

let database: TestDatabase;
let one: TestPartner;
let two: TestPartner;

beforeAll(async () => {
  database = await createTestDatabase();
  [one, two] = [await addPartner(database.db), await addPartner(database.db)];
  await addTerms(database.db, { maximumSourceMinor: 10_000_000n, spreadBps: 0, platformFeeBase: 0n });
  await setRate(database.db, "0.01");
  // 1 KES is 0.01 USDT: each pays 10 USDT, some hours ago, the last one 40 days ago.
  await paid(one, KNOWN, 6 * HOUR);
  await paid(one, KNOWN, 4 * HOUR);
  await paid(one, OTHER, 4 * HOUR - 600_000);
  await paid(two, OTHER, 1 * HOUR);
  await paid(two, OTHER, 40 * 24 * HOUR);
});
afterAll(() => database.close());

async function paid(partner: TestPartner, wallet: string, agoMs: number): Promise<void> {
  const { id } = await createSettlement(testContext(database.db), {
    ...partner,
    sourceAmountMinor: 100_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: randomUUID(),
    chain: TEST_CHAIN.chain,
    walletAddress: wallet,
    callbackUrl: null,
  });
  const at = new Date(Date.now() - agoMs).toISOString();
  await database.sql`update settlements set status = 'executed', callback_url = 'http://localhost:9/a', external_tx_id = ${id}, confirmed_at = ${at}::timestamptz, executed_at = ${at}::timestamptz, created_at = ${at}::timestamptz,
    tx_hash = ${`0x${randomUUID().replaceAll("-", "").padEnd(64, "0")}`} where id = ${id}`;
}

const NOTHING: WrittenLimit = {
  kind: "velocity",
  mode: "enforce",
  purpose: null,
  partnerId: null,
  sourceCurrency: null,
  destinationCurrency: null,
  chain: null,
  countedBy: "partner",
  window: "hour",
  amount: "15",
  timesMaximum: null,
  waitHours: null,
  addresses: null,
};
const tried = async (change: Parameters<typeof tryChange>[1]) => {
  const effect = await tryChange({ db: database.db }, change);
  return effect && [effect.payments, effect.partners, effect.sums.map(({ base }) => base), effect.examined];
};
const limited = (changes: Partial<WrittenLimit>) => tried({ limit: readLimit({ ...NOTHING, ...changes }) });

describe("a dry run", () => {
  it("counts the payments of 30 days that a halt would have stopped", async () => {
    expect(await tried({ halt: { kind: "all", key: "*" } })).toEqual([4, 2, [40_000_000n], 4]);
    expect(await tried({ halt: { kind: "partner", key: one.partnerId } })).toEqual([3, 1, [30_000_000n], 3]);
    expect(await tried({ halt: { kind: "pair", key: `KES USDT ${TEST_CHAIN.chain}` } })).toEqual([4, 2, [40_000_000n], 4]);
    expect(await tried({ halt: { kind: "chain", key: "eip155:1" } })).toEqual([0, 0, [], 0]);
  });

  it("judges a limit as of each payment: what its window holds, who was paid before, and who is allowed", async () => {
    // The first partner's third payment comes ten minutes after its second.
    expect(await limited({})).toEqual([1, 1, [10_000_000n], 4]);
    expect(await limited({ amount: "20" })).toEqual([0, 0, [], 4]);
    expect(await limited({ window: "day", countedBy: "all", amount: "35" })).toEqual([1, 1, [10_000_000n], 4]);
    expect(await limited({ window: "day", countedBy: "destination", amount: "15" })).toEqual([2, 2, [20_000_000n], 4]);
    expect(await limited({ window: "day", partnerId: two.partnerId, amount: "5" })).toEqual([1, 1, [10_000_000n], 1]);
    const wait = { kind: "new_destination", countedBy: null, window: null, amount: null, waitHours: 1 } as const;
    expect(await limited(wait)).toEqual([1, 1, [10_000_000n], 4]);
    const allowed = { kind: "allow_list", countedBy: null, window: null, amount: null, addresses: [KNOWN] } as const;
    expect(await limited(allowed)).toEqual([2, 2, [20_000_000n], 4]);
  });

  it("says nothing where past payments do not tell", async () => {
    const credit = { kind: "credit_line", countedBy: null, window: null } as const;
    expect(
      await Promise.all([
        limited({ mode: "off" }),
        limited({ purpose: "topup" }),
        limited({ amount: null, timesMaximum: 3 }),
        limited(credit),
      ]),
    ).toEqual([null, null, null, null]);
    expect(await tried({ halt: { kind: "wallet", key: randomUUID() } })).toBeNull();
  });
});
