import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertLedgerSnapshot, listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { firstId, timeOfId } from "#domain/ids.ts";
import { isRefusal } from "#domain/refusal.ts";
import { changeTopup } from "#server/services/fiat/change-orders.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { addPartner, setClockOffset, TEST_CHAIN } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { newAddress } from "#testing/transfers.ts";
import { readStatement, renderStatement } from "./statement.ts";

const DAY_MS = 86_400_000;
let bench: FiatBench;
const start = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
const onDay = (day: number) => new Date(start.getTime() + day * DAY_MS);

beforeAll(async () => {
  bench = await openFiatBench();
});
afterAll(() => bench.close());

/** Moves business time to the noon of a day. */
const noonOf = (day: number) => setClockOffset(bench.db, onDay(day).getTime() + DAY_MS / 2 - Date.now());

async function executed(externalTxId: string): Promise<string> {
  const ctx = { db: bench.db, chains: bench.ctx.chains };
  const { id } = await createSettlement(ctx, {
    ...bench.partner,
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    chain: TEST_CHAIN.chain,
    walletAddress: newAddress(),
    callbackUrl: "http://localhost:9/a",
  });
  await confirmSettlement(ctx, { ...bench.partner, id, externalTxId, callbackUrl: null, expectedDestinationAmount: null });
  await bench.endTransfer("settlement", id, { txHash: "0xe1" });
  return id;
}

async function unsent(): Promise<string> {
  const topup = await bench.topUp({ externalId: '=HYPERLINK("http://evil")' });
  await bench.db.transaction((tx) => changeTopup(tx, topup, { type: "collect", reference: null }, topup.createdAt));
  await bench.endTransfer("topup", topup.id, { reason: "The token refuses." });
  return topup.id;
}

const statement = (from: number, to: number) =>
  readStatement({ db: bench.db }, { partnerId: bench.partner.partnerId, from: onDay(from), to: onDay(to) });
const csvOf = async (from: number, to: number) => [...renderStatement(await statement(from, to))].join("").split("\r\n");

describe("a partner's statement", () => {
  it("goes on from one period to the next, to the last unit, and ends at what the ledger says", async () => {
    await noonOf(1);
    const first = await executed("ref-1");
    await noonOf(2);
    const topup = await unsent();
    const second = await executed("ref-2");
    const before = (await statement(1, 2)).accounts;
    expect(before).toMatchObject([
      { asset: { currency: "KES" }, opening: 0n, closing: 1_000_000n, lines: [{ causeId: first, balance: 1_000_000n }] },
    ]);
    const [account] = (await statement(2, 3)).accounts;
    expect(account).toMatchObject({ opening: 1_000_000n, closing: 1_900_000n });
    expect(account?.lines.map(({ causeId, amount, balance }) => [causeId, amount, balance])).toEqual([
      [topup, -100_000n, 900_000n],
      [second, 1_000_000n, 1_900_000n],
    ]);
    const booked = (await listLedgerBalances(bench.db)).find(({ account }) => account === "partner_receivable");
    expect(booked?.amount).toBe(1_900_000n);
  });

  it("says the same after the books were added up before, within and after its period", async () => {
    const periods = [
      [1, 2],
      [2, 3],
      [0, 3],
      [3, 4],
      [1, 1.5],
    ] as const;
    const read = () => Promise.all(periods.map(([from, to]) => statement(from, to)));
    const before = await read();
    for (const day of [0.5, 1, 1.7, 2, 2.2, 3, 3.5]) {
      await bench.db.transaction((tx) => insertLedgerSnapshot(tx, firstId("ledgerEntry", onDay(day))));
      expect(await read()).toEqual(before);
    }
    const entries = await bench.sql<{ id: string; at: string }[]>`select id, at from ledger_entries`;
    expect(entries.length).toBeGreaterThan(2);
    for (const { id, at } of entries) expect(timeOfId(id)).toEqual(new Date(at));
  });

  it("is a CSV with exact amounts, in which nothing is taken for a formula", async () => {
    const [head, opening, ...lines] = await csvOf(2, 3);
    expect(head).toBe("currency,chain,at,entry,type,id,external_id,tx_hash,debit,credit,balance,description");
    expect(opening).toBe(`KES,,${onDay(2).toISOString()},opening balance,,,,,,,10000.00,`);
    expect(lines[0]).toMatch(
      /,topup unsent,tu_\w+,"'=HYPERLINK\(""http:\/\/evil""\)",,,1000\.00,9000\.00,Top-up collected and not delivered$/,
    );
    expect(lines[1]).toMatch(/,settlement executed,tx_\w+,ref-2,0xe1,10000\.00,,19000\.00,Paid out for you$/);
    expect(lines[2]).toBe(`KES,,${onDay(3).toISOString()},closing balance,,,,,,,19000.00,`);
    expect(lines.slice(3)).toEqual([""]);
  });

  it("has a line for what was before where nothing happened, and none where nothing ever was", async () => {
    expect(await csvOf(5, 6)).toHaveLength(4);
    const other = await addPartner(bench.db);
    const empty = await readStatement({ db: bench.db }, { partnerId: other.partnerId, from: onDay(0), to: onDay(9) });
    expect(empty.accounts).toEqual([]);
  });

  it("refuses a period that ends before it begins, and a partner that is not there", async () => {
    const codeOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => (isRefusal(error) ? error.code : String(error)));
    expect(await codeOf(statement(2, 1))).toBe("validation_failed");
    const nobody = { partnerId: "00000000-0000-4000-8000-000000000000", from: onDay(0), to: onDay(1) };
    expect(await codeOf(readStatement({ db: bench.db }, nobody))).toBe("not_found");
  });
});
