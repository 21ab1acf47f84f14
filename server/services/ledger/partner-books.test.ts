import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, type OpenDatabase, openDatabase, scopedTo } from "#db/client.ts";
import { insertLedgerSnapshot } from "#db/queries/ledger/ledger-balances.ts";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { firstId } from "#domain/ids.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { addPartner } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { readPools } from "./read-books.ts";

let bench: FiatBench;
let pool: OpenDatabase;
beforeEach(async () => {
  bench = await openFiatBench();
  pool = openDatabase({ url: bench.database.url, applicationName: "partner-books", maxConnections: 2, role: bench.database.webRole });
});
afterEach(async () => {
  await pool.close();
  await bench.close();
});

const as = (id: string): Database => scopedTo(pool.db, { of: "partner", id });

async function collect(): Promise<string> {
  const { id } = await bench.topUp();
  const word = { status: "succeeded", reference: `P-${id}`, reason: null } as const;
  await takeProviderEvent(bench.ctx, { provider: FIRST_PROVIDER, kind: "topup", orderId: id, word, body: "{}" });
  return id;
}

it("a partner reads the same total of a pool as everybody, also after a snapshot that holds a line of its own", async () => {
  const first = await collect();
  await bench.endTransfer("topup", first, { txHash: "0xaa" }); // its fee is in an account of the partner's own
  await bench.db.transaction((tx) => insertLedgerSnapshot(tx, firstId("ledgerEntry", new Date(Date.now() + 1))));
  await collect();
  const [everybody] = await readPools({ db: bench.db });
  const [own] = await readPools({ db: as(bench.partner.partnerId) });
  expect(own?.totalMinor).toBe(1_200_000n);
  expect(own).toEqual(everybody);
});

it("a partner reads no entry and no posting of another partner's, the house's lines included", async () => {
  await collect();
  const other = await addPartner(bench.db);
  const counts = sql`select (select count(*)::int from ledger_entries) as entries, (select count(*)::int from ledger_postings) as postings`;
  expect([...(await as(other.partnerId).execute(counts))]).toEqual([{ entries: 0, postings: 0 }]);
  expect([...(await as(bench.partner.partnerId).execute(counts))]).not.toEqual([{ entries: 0, postings: 0 }]);
});
