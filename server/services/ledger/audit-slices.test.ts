import { afterAll, beforeAll, expect, it } from "vitest";
import { firstId, newId, timeOfId } from "#domain/ids.ts";
import type { Context } from "#server/context.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { setClockOffset, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { openFiatBench } from "#testing/fiat.ts";
import { auditDatabase } from "./audit-database.ts";

let bench: Awaited<ReturnType<typeof openFiatBench>>;
const ids: string[] = [];
beforeAll(async () => {
  bench = await openFiatBench();
  for (let nth = 0; nth < 60; nth += 1) {
    // Some in one and the same moment, others a day later.
    if (nth % 6 === 0) await setClockOffset(bench.db, nth * 86_400_000);
    ids.push(await quote());
  }
});
afterAll(() => bench.close());

async function quote(): Promise<string> {
  const money = { sourceAmountMinor: 100_000n, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "m" };
  const place = { chain: TEST_CHAIN.chain, walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", callbackUrl: null };
  await setRate(bench.db, "0.0077");
  return (await createSettlement(bench.ctx, { ...bench.partner, ...money, ...place })).id;
}

it("an id says when it was made", () => {
  const now = new Date();
  expect([timeOfId(newId("settlement", now)), timeOfId(firstId("transfer", now)), timeOfId("tx_1"), timeOfId("x")]).toEqual([
    now,
    now,
    null,
    null,
  ]);
});

it("walks in slices, each a transaction that is over before the next begins, so that no snapshot outlives one", async () => {
  const seen: { written: number; others: number }[] = [];
  const look = async (db: Context["db"]) => {
    const [row] = await db.execute<{ written: number; others: number }>(
      `select (select count(*)::int from nonces) as written, (select count(*)::int from pg_stat_activity
        where datname = current_database() and usename is not null and backend_xmin is not null and pid <> pg_backend_pid()) as others`,
    );
    seen.push({ written: row?.written ?? -1, others: row?.others ?? -1 });
  };
  const transaction: Context["db"]["transaction"] = async (work, config) => {
    // Somebody else is always writing: a snapshot that stayed would not see it.
    await bench.sql`insert into nonces values (gen_random_uuid(), gen_random_uuid(), now())`;
    return await bench.db.transaction(async (tx) => {
      await look(tx as Context["db"]);
      return await work(tx);
    }, config);
  };
  const db = new Proxy(bench.db, { get: (of, name) => (name === "transaction" ? transaction : Reflect.get(of, name)) });
  const report = await auditDatabase({ db }, { sliceRows: 7 });
  expect(report.violations).toBe(0);
  expect(seen.length).toBeGreaterThan(60 / 7);
  expect(seen.every(({ others }) => others === 0)).toBe(true);
  expect(seen.map(({ written }) => written)).toEqual(seen.map((_, index) => index + 1));
});

it("finds by slices what it finds in one, each once, and counts the same", async () => {
  const { sql } = bench;
  const [first, middle, last] = [ids[0], ids[30], ids.at(-1)];
  await sql`update settlements set exchange_rate = exchange_rate + 1 where id in (${first ?? ""}, ${middle ?? ""}, ${last ?? ""})`;
  // Of no form that an id has: before and behind all others.
  for (const id of ["tx_", "tx_zzz"])
    await sql`
      insert into settlements select (jsonb_populate_record(s, jsonb_build_object('id', ${id}::text))).* from settlements s where s.id = ${ids[1] ?? ""}`;
  const outcomes = ({ rules }: Awaited<ReturnType<typeof auditDatabase>>) =>
    rules.map(({ rule, checked, violations }) => [
      rule,
      checked,
      violations.map(({ subject, detail }) => `${subject} ${detail}`).toSorted(),
    ]);
  const [whole, sliced, since] = [
    await auditDatabase(bench, { sliceRows: 1_000_000 }),
    await auditDatabase(bench, { sliceRows: 5 }),
    await auditDatabase(bench, { sliceRows: 5, since: timeOfId(ids[20] ?? "") }),
  ];
  expect(outcomes(sliced)).toEqual(outcomes(whole));
  const broken = sliced.rules.find(({ rule }) => rule === "settlement_keeps_its_quote")?.violations.map(({ subject }) => subject);
  expect(broken?.toSorted()).toEqual([first, middle, last, "tx_", "tx_zzz"].toSorted());
  const later = since.rules.find(({ rule }) => rule === "settlement_keeps_its_quote")?.violations.map(({ subject }) => subject);
  expect(later?.toSorted()).toEqual([middle, last, "tx_zzz"].toSorted());
});
