import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { findApiKeyByHash } from "#db/queries/access/api-keys.ts";
import { listStrays } from "#db/queries/audit/audit-seals.ts";
import { claimDueOrders } from "#db/queries/fiat/fiat-work.ts";
import { findWithdrawalByExternalId } from "#db/queries/fiat/withdrawals.ts";
import { findMember } from "#db/queries/members/members.ts";
import { listTransactions } from "#db/queries/partners/partner-transactions.ts";
import { findSettlement, lockSettlement } from "#db/queries/settlements/settlements.ts";
import { listUnderway, sumMovedAbove } from "#db/queries/transfers/treasury-movements.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { TEST_CHAIN } from "./factories.ts";
import { type FiatBench, openFiatBench } from "./fiat.ts";

/**
 * What is asked again and again reads what it answers, and not what was ever written: PostgreSQL itself counts the rows that a statement
 * touches, among thousands. No clock is asked.
 */

const MANY = 3_000;
const URL = "http://localhost:9/";
/** The newest of each kind, and the page; a few more for what stands beside them. */
const FEW = 100;

let bench: FiatBench;
let settlementId = "";
beforeAll(async () => {
  bench = await openFiatBench();
  const settlement = await createSettlement(bench.ctx, {
    ...{ ...bench.partner, sourceAmountMinor: 100_000n, sourceCurrency: "KES", destinationCurrency: "USDT", externalMerchantId: "m" },
    ...{ chain: TEST_CHAIN.chain, walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", callbackUrl: URL },
  });
  settlementId = settlement.id;
  const confirmation = { externalTxId: "first", callbackUrl: null, expectedDestinationAmount: null };
  await confirmSettlement(bench.ctx, { ...bench.partner, id: settlementId, ...confirmation });
  await bench.withdraw({ externalId: "first" });
  await bench.topUp();
  const owner = postgres(bench.database.url, { max: 1, onnotice: () => {} });
  // Many like the one that the services made; nothing of them is due, on its way, or promised.
  await owner.unsafe(`
    create temp sequence numbers;
    create function pg_temp.many(place text, change text) returns void language plpgsql as $$ begin
      execute format('create temp table copies as select t.* from %I t, generate_series(1, ${MANY})', place);
      execute 'alter sequence numbers restart';
      execute 'update copies set ' || change;
      execute format('alter table %I disable trigger user', place);
      execute format('insert into %I select * from copies', place);
      execute format('alter table %I enable trigger user', place);
      drop table copies;
    end $$`);
  const ended = "due_at = null, status = 'failed', failure_reason = 'x', external_id = gen_random_uuid()::text";
  for (const [place, change] of [
    ["members", "id = gen_random_uuid(), external_user_id = gen_random_uuid()::text, phone = '+254' || (100000000 + nextval('numbers'))"],
    ["settlements", "id = 'tx_' || gen_random_uuid(), external_tx_id = gen_random_uuid()::text"],
    [
      "transfers",
      "id = 'tr_' || gen_random_uuid(), owner_id = gen_random_uuid()::text, due_at = null, state = 'executed', executed_at = now(), tx_hash = '0x', block_number = nextval('numbers')",
    ],
    ["withdrawals", `id = 'wd_' || gen_random_uuid(), step = 'released', ${ended}`],
    ["topups", `id = 'tu_' || gen_random_uuid(), step = 'uncollected', ${ended}`],
    ["audit_entries", "id = 'au_' || gen_random_uuid()"],
  ] as const)
    await owner`select pg_temp.many(${place}, ${change})`;
  await owner.unsafe("vacuum analyze");
  await owner.end();
});
afterAll(() => bench.close());

/** How many rows of which table the work reads. */
async function rowsRead(work: (tx: Database) => Promise<unknown>): Promise<Record<string, number>> {
  return await bench.db.transaction(async (tx) => {
    await work(tx);
    const rows = await tx.execute<{ relname: string; read: string }>(
      "select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables where seq_tup_read + coalesce(idx_tup_fetch, 0) > 0",
    );
    return Object.fromEntries(rows.map(({ relname, read }) => [relname, Number(read)]));
  });
}

const STATEMENTS: Record<string, (tx: Database) => Promise<unknown>> = {
  "a settlement by its id": (tx) => findSettlement(tx, settlementId, bench.partner.partnerId),
  "a settlement, held": (tx) => lockSettlement(tx, settlementId, bench.partner.partnerId),
  "a key by its hash": (tx) => findApiKeyByHash(tx, "nobody's"),
  "a member by its reference": (tx) => findMember(tx, bench.partner.partnerId, "user-1"),
  "a member by its id": (tx) => findMember(tx, bench.partner.partnerId, bench.memberId),
  "a withdrawal by its reference": (tx) => findWithdrawalByExternalId(tx, bench.partner.partnerId, "first"),
  "a partner's page of all transactions": (tx) => listTransactions(tx, { partnerId: bench.partner.partnerId }, { skip: 0, limit: 25 }),
  "the operator's page of all transactions": (tx) => listTransactions(tx, {}, { skip: 0, limit: 25 }),
  "a page of one kind within a time": (tx) =>
    listTransactions(tx, { type: "settlement", createdFrom: new Date(Date.now() + 60_000) }, { skip: 0, limit: 25 }),
  "withdrawals that are due": (tx) => claimDueOrders(tx, "withdrawals", "00000000-0000-4000-8000-000000000000", 10),
  "what moved above a height": (tx) => sumMovedAbove(tx, { chain: TEST_CHAIN.chain, currency: "USDT" }, MANY - 1),
  "what is on its way": (tx) => listUnderway(tx, TEST_CHAIN.chain),
  "entries put in past the service, of a stretch": (tx) => listStrays(tx, { from: "au_ffff", before: "au_fffg" }),
};

describe("reads no more than it answers, of thousands:", () => {
  it.each(Object.entries(STATEMENTS))("%s", async (_name, work) => {
    const read = await rowsRead(work);
    expect(Object.entries(read).filter(([, rows]) => rows > FEW)).toEqual([]);
  });

  it("and what reads all of them is seen by that count", async () => {
    expect((await rowsRead((tx) => tx.execute("select sum(length(external_user_id)) from members"))).members).toBeGreaterThan(MANY);
  });
});
