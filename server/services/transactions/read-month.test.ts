import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decimal, floorToUnits } from "#domain/decimal.ts";
import { compareRows, type OwnRow } from "#domain/month-statement.ts";
import { settlementCells } from "#server/console/exports/settlements.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { exportSettlements } from "#server/services/settlements/export-settlements.ts";
import { addPartner, setClockOffset, TEST_CHAIN } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { addPerson, refusalOf } from "#testing/people.ts";
import { newAddress } from "#testing/transfers.ts";
import { COMPARED_PART, findOwnRows, listExecuted, readMonth } from "./read-month.ts";

/** Business time, on days of which the second is in the next month. */
const FIRST = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 0, 31, 12));
const NEXT_DAY = new Date(FIRST.getTime() + 86_400_000);
const monthOf = (day: Date) => day.toISOString().slice(0, 7);

let bench: FiatBench;
let firstId: string;
beforeAll(async () => {
  bench = await openFiatBench();
  await setClockOffset(bench.db, FIRST.getTime() - Date.now());
  firstId = await ended("ref-1", { txHash: "0xe1" });
  await ended("ref-2", { txHash: "0xe2" });
  await ended("ref-3", { reason: "The token refuses." });
  await setClockOffset(bench.db, NEXT_DAY.getTime() - Date.now());
  await ended("ref-4", { txHash: "0xe4" });
});
afterAll(() => bench.close());

/** 10,000 KES that were paid out, or not. */
async function ended(externalTxId: string, end: { txHash: string } | { reason: string }): Promise<string> {
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
  await bench.endTransfer("settlement", id, end);
  return id;
}

const read = (day: Date, partnerId = bench.partner.partnerId) => readMonth({ db: bench.db }, { partnerId, month: monthOf(day) });
const compare = async (rows: OwnRow[]) => {
  const whose = { partnerId: bench.partner.partnerId, month: monthOf(FIRST) };
  const named = await findOwnRows({ db: bench.db }, { ...whose, names: rows.map(({ name }) => name) });
  const executed = await listExecuted({ db: bench.db }, { ...whose, after: null });
  expect(executed).toMatchObject({ of: 2, next: null });
  return compareRows(rows, named, executed.rows)
    .map(({ kind, name }) => `${kind} ${name}`)
    .toSorted();
};
const COLUMNS = ["source_amount", "gross_amount", "platform_fee", "destination_amount"] as const;
const row = (name: string, minor = 1_000_000n, currency = "KES"): OwnRow => ({ name, minor, currency });

describe("a partner's month", () => {
  it("goes on where the month before ended, and its days tie to the ledger to the last unit", async () => {
    const [first, second] = [await read(FIRST), await read(NEXT_DAY)];
    const account = (found: typeof first) => found.accounts.map(({ asset, opening, closing }) => [asset.currency, opening, closing]);
    expect(account(first)).toEqual([["KES", 0n, 2_000_000n]]);
    expect(account(second)).toEqual([["KES", 2_000_000n, 3_000_000n]]);
    expect(first.days).toMatchObject([{ day: FIRST.toISOString().slice(0, 10), executed: 2, failed: 1, sourceMinor: 2_000_000n }]);
    for (const { grossBase, feeBase, netBase } of first.days) expect(grossBase - feeBase).toBe(netBase);
    expect(first.ties).toEqual([{ currency: "KES", settled: 2_000_000n, posted: 2_000_000n }]);
    expect(second.ties).toEqual([{ currency: "KES", settled: 1_000_000n, posted: 1_000_000n }]);
  });

  it("is the sum of the rows in a file of its executed settlements, to the last digit", async () => {
    const { by } = await addPerson(bench.db, "admin");
    for (const [day, expected] of [
      [FIRST, 2],
      [NEXT_DAY, 1],
    ] as const) {
      const executedFrom = new Date(`${monthOf(day)}-01T00:00:00Z`);
      const executedTo = new Date(Date.UTC(executedFrom.getUTCFullYear(), executedFrom.getUTCMonth() + 1));
      const filter = { partnerId: bench.partner.partnerId, view: "executed", executedFrom, executedTo } as const;
      const { batches } = await exportSettlements({ db: bench.db }, { by, filter, asked: {} });
      const rows: string[][] = [];
      for await (const batch of batches) rows.push(...batch.map((row) => settlementCells(row, COLUMNS, "UTC")));
      expect(rows).toHaveLength(expected);
      const sumOf = (column: (typeof COLUMNS)[number], decimals: number) =>
        rows.reduce((sum, cells) => sum + floorToUnits(decimal(cells[COLUMNS.indexOf(column)] ?? ""), decimals), 0n);
      const { days } = await read(day);
      expect(days).toHaveLength(1);
      const tokenDecimals = days[0]?.tokenDecimals ?? 0;
      expect(days[0]).toMatchObject({
        executed: expected,
        sourceMinor: sumOf("source_amount", 2),
        grossBase: sumOf("gross_amount", tokenDecimals),
        feeBase: sumOf("platform_fee", tokenDecimals),
        netBase: sumOf("destination_amount", tokenDecimals),
      });
    }
  });

  it("shows where rows and ledger differ", async () => {
    const ended = (at: Date) => bench.sql`update settlements set executed_at = ${at.toISOString()}::timestamptz where id = ${firstId}`;
    await ended(NEXT_DAY);
    expect((await read(FIRST)).ties).toEqual([{ currency: "KES", settled: 1_000_000n, posted: 2_000_000n }]);
    await ended(FIRST);
  });

  it("is empty for another partner, and refused for none", async () => {
    const { partnerId } = await addPartner(bench.db);
    expect(await read(FIRST, partnerId)).toEqual({ accounts: [], days: [], ties: [] });
    expect(await refusalOf(read(FIRST, "00000000-0000-4000-8000-000000000000"))).toBe("not_found");
  });

  it("names every row of the partner's own file that differs, and what the file lacks", async () => {
    expect(await compare([row("ref-1"), row("ref-2")])).toEqual([]);
    expect(await compare([row(firstId), row("ref-2", 999_999n)])).toEqual(["other_amount ref-2"]);
    expect(await compare([row("ref-1"), row("ref-1"), row("ref-3"), row("ref-4"), row("ref-9")])).toEqual([
      "missing ref-2",
      "not_executed ref-3",
      "other_month ref-4",
      "twice ref-1",
      "unknown ref-9",
    ]);
    expect(await compare([row("ref-1", 1_000_000n, "UGX"), row("ref-2")])).toEqual(["other_currency ref-1"]);
  });

  it("never finds another partner's settlement", async () => {
    const { partnerId } = await addPartner(bench.db);
    const whose = { partnerId, month: monthOf(FIRST) };
    expect(await findOwnRows({ db: bench.db }, { ...whose, names: ["ref-1", firstId] })).toEqual([]);
    expect(await listExecuted({ db: bench.db }, { ...whose, after: null })).toEqual({ rows: [], of: 0, next: null });
  });

  it("is walked in parts, each settlement once, and says of how many", async () => {
    const [{ columns } = { columns: "" }] = await bench.sql<{ columns: string }[]>`
      select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_schema = 'public' and table_name = 'settlements' and column_name not in ('id', 'external_tx_id')`;
    await bench.sql.unsafe(`insert into settlements (id, external_tx_id, ${columns})
      select 'tx_copy_' || n, 'copy-' || n, ${columns} from settlements, generate_series(1, ${COMPARED_PART}) n where id = '${firstId}'`);
    const whose = { partnerId: bench.partner.partnerId, month: monthOf(FIRST) };
    const first = await listExecuted({ db: bench.db }, { ...whose, after: null });
    const second = await listExecuted({ db: bench.db }, { ...whose, after: first.next });
    expect([first.rows.length, first.of, second.rows.length, second.next]).toEqual([COMPARED_PART, COMPARED_PART + 2, 2, null]);
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(COMPARED_PART + 2);
    await bench.sql`delete from settlements where id like 'tx_copy_%'`;
  });
});
