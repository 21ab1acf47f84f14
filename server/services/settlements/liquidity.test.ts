import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { liquidity } from "#db/queries/transfers/liquidity.ts";
import { saveWalletBalance } from "#db/queries/transfers/wallet-balances.ts";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import { isRefusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import type { Uses } from "#server/context.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { listPairs } from "#server/services/rates/list-pairs.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner, testChains } from "#testing/factories.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";

const ADDRESSES = [`0x${"8".repeat(40)}`, `0x${"9".repeat(40)}`];
const HEIGHT = 100;

let database: TestDatabase;
let partner: TestPartner;
let ctx: Uses<"db" | "chains">;
let walletIds: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  ctx = { db: database.db, chains: testChains };
  partner = await addPartner(database.db);
  await addTerms(database.db);
  await setRate(database.db, "0.01");
  walletIds = await Promise.all(
    ADDRESSES.map((address) => ensureWallet(database.db, { chain: TEST_CHAIN.chain, address, now: new Date() })),
  );
});
afterEach(() => database.close());

/** The balances that the worker read, in whole USDT, by wallet. */
async function hold(...units: number[]): Promise<void> {
  for (const [index, amount] of units.entries()) {
    const seen = { thresholdBase: 0n, height: HEIGHT, low: false, amountBase: BigInt(amount) * 1_000_000n };
    await saveWalletBalance(database.db, { walletId: walletIds[index] ?? "", currency: "USDT", ...seen });
  }
}

/** A source amount with this net amount of USDT: 1 KES is a cent, and the fee half a dollar. */
const quote = (usdt: number): Promise<Settlement> =>
  createSettlement(ctx, {
    ...partner,
    sourceAmountMinor: BigInt(Math.round((usdt + 0.5) * 10_000)),
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "m",
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: "http://localhost:9/a",
  });
const outcome = (usdt: number): Promise<string> =>
  quote(usdt).then(
    () => "quoted",
    (error: unknown) => (isRefusal(error) ? error.code : String(error)),
  );
async function confirm({ id }: Settlement): Promise<Settlement> {
  const command = {
    partnerId: partner.partnerId,
    by: partner.by,
    id,
    externalTxId: id,
    callbackUrl: null,
    expectedDestinationAmount: null,
  };
  const { settlement } = await confirmSettlement(ctx, command);
  await bringOutbox(ctx);
  return settlement;
}
const quoting = async () => (await listPairs(ctx, { partnerId: partner.partnerId })).map((pair) => pair.quoting);
/** What the worker would write of the payment, in the columns that count. */
const put = ({ id }: Settlement, state: "mined" | "executed" | "failed", block: number | null) =>
  database.sql`update transfers set state = ${state}, block_number = ${block}, tx_hash = '0x1',
    due_at = case when ${state} = 'mined' then now() end, executed_at = case when ${state} = 'executed' then now() end,
    failure_reason = case when ${state} = 'failed' then 'No.' end where owner_id = ${id}`;

describe("quoting", () => {
  test("promises no more than the treasury holds, and out of one wallet", async () => {
    await hold(1_000, 600);
    expect(await outcome(1_000)).toBe("quoted");
    expect(await outcome(1_000.01)).toBe("liquidity_unavailable");
    expect(await quoting()).toEqual(["up"]);
  });

  test("knows what was confirmed and not paid; a quote alone reserves nothing", async () => {
    await hold(1_000, 600);
    const [first, second] = [await quote(900), await quote(900)];
    expect(await outcome(900)).toBe("quoted");
    await confirm(first);
    expect(await outcome(700)).toBe("quoted");
    expect(await outcome(701)).toBe("liquidity_unavailable");
    // It cannot be paid right now, but the quote is guaranteed.
    expect((await confirm(second)).status).toBe("processing");
    expect(await outcome(1)).toBe("liquidity_unavailable");
    expect(await quoting()).toEqual(["down"]);
    await expect(quote(1)).rejects.toMatchObject({ particulars: { retryAfterSeconds: 60 } });
  });

  test("takes off what left after the balances were read, and nothing that they show already or that never left", async () => {
    await hold(1_000);
    const paid = await confirm(await quote(900));
    for (const [state, block, free] of [
      ["mined", HEIGHT + 1, 100],
      ["executed", HEIGHT + 1, 100],
      ["mined", HEIGHT, 1_000],
      ["executed", HEIGHT, 1_000],
      ["executed", null, 1_000],
      ["failed", null, 1_000],
    ] as const) {
      await put(paid, state, block);
      expect([state, block, await outcome(free), await outcome(free + 1)]).toEqual([state, block, "quoted", "liquidity_unavailable"]);
    }
  });

  test("counts on no wallet that is out of use or halted, and on none of a chain on which an unknown transaction was met", async () => {
    await hold(600, 1_000);
    await database.sql`update wallets set state = 'draining' where id = ${walletIds[1] ?? ""}`;
    expect([await outcome(600), await outcome(601)]).toEqual(["quoted", "liquidity_unavailable"]);
    await database.sql`update wallets set state = 'active'`;
    const scope = { kind: "wallet", key: walletIds[1] ?? "" } as const;
    await database.db.transaction((tx) => haltScope(tx, { scope, cause: "key_compromised", detail: "It was mailed around." }));
    expect([await outcome(600), await outcome(601)]).toEqual(["quoted", "liquidity_unavailable"]);
    await database.sql`update lane_halts set lifted_at = now(), lifted_by = 'test', lift_reason = 'for the next one' where lifted_at is null`;
    expect(await outcome(700)).toBe("quoted");
    await database.db.transaction((tx) => haltScope(tx, { scope, cause: "foreign_nonce", detail: "Nonce 7 is not ours." }));
    expect(await outcome(1)).toBe("liquidity_unavailable");
  });

  test("refuses nothing before a worker has looked", async () => {
    expect(await outcome(10_000)).toBe("quoted");
    expect(await quoting()).toEqual(["up"]);
  });

  test("of a pair is down when its smallest quote cannot be paid", async () => {
    await hold(0);
    expect([await quoting(), await outcome(1)]).toEqual([["down"], "liquidity_unavailable"]);
  });

  test("asks an index that knows the block, however long the history is", async () => {
    await hold(1_000);
    await database.sql`insert into transfers (id, purpose, owner_id, chain, currency, token_decimals, amount_base, recipient, state, tx_hash, block_number, created_at, updated_at, executed_at)
      select 'tr_' || n, 'settlement', 'tx_' || n, ${TEST_CHAIN.chain}, 'USDT', 6, 1, '0x', 'executed', '0x', n % ${HEIGHT}, now(), now(), now() from generate_series(1, 20000) n`;
    // Only the version before reads these two: the next release has none of them.
    await withConnection(database.url, (owner) => owner`drop index transfers_promised, transfers_state`);
    await database.sql`analyze transfers`;
    const plan = JSON.stringify(await database.db.execute(sql`explain ${liquidity()}`));
    expect(plan).toMatch(/transfers_block.*transfers_unfinished/);
    expect(plan).not.toContain("Seq Scan on transfers");
    expect(await outcome(1_000)).toBe("quoted");
  });
});
