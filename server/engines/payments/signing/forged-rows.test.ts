import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { intentHash, tokenTransfer } from "#domain/evm-intent.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import type { TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { newAddress } from "#testing/transfers.ts";

/**
 * Somebody who has the service's own log-in writes into every column that it may write. The database refuses what a payment is; whatever it
 * lets through, no one receives anything but what was agreed on, and no one receives it twice.
 */

let chain: TestChain;
let stage: MoneyStage;
let partner: TestPartner;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

type Agreed = { id: string; recipient: string; amountBase: bigint };

async function confirmPayments(count: number): Promise<Agreed[]> {
  stage = await openMoneyStage(chain, { partners: 2 });
  const [first] = stage.partners;
  if (first === undefined) throw new Error("the stage has no partner");
  partner = first;
  const agreed: Agreed[] = [];
  for (let each = 0; each < count; each += 1) {
    const recipient = newAddress();
    const { id, quote } = await stage.quote(partner, { amountMinor: 100_000n, wallet: recipient });
    await stage.confirm(partner, id);
    agreed.push({ id, recipient, amountBase: quote.destinationAmountBase });
  }
  return agreed;
}

/** Another value of the column's type: the thief's where it is an address. */
function otherValue(column: string, type: string, thief: string): string {
  if (/recipient|wallet_address|call_to|to_address/.test(column)) return `'${thief}'`;
  if (column === "partner_id") return `'${stage.partners[1]?.partnerId}'`;
  if (column === "state") return "'signed'";
  if (column === "status") return "'executed'";
  if (column === "waiting_kind") return "'review'";
  if (/numeric|int/.test(type)) return `coalesce(${column}, 0) + 1`;
  if (type.startsWith("timestamp")) return "clock_timestamp() - interval '1 day'";
  if (type === "uuid") return "gen_random_uuid()";
  return "'forged'";
}

/** Columns that the log-in may change of a row that is confirmed and not signed yet; what they do to a payment is tried below. */
const CHANGEABLE = {
  transfers: `state waiting_reason waiting_kind waiting_since review_reason tx_hash block_number block_hash cancel_requested_at bump_requested_at
    due_at lease_until lease_token rest_until trace created_at updated_at`,
  settlements: `external_tx_id external_merchant_id callback_url creation_callback_url mid_rate spread_bps rate_source rate_as_of priced_at created_at expires_at
    confirmed_at cancelled_at executed_at failed_at approval_decided_at rejection_reason tx_hash trace
    events_recorded events_position`,
};

it.each(["transfers", "settlements"] as const)(
  "a column of `%s` that is changed pays no one else, no other amount and nothing twice",
  async (table) => {
    const agreed = await confirmPayments(40);
    const thief = newAddress();
    const columns = await stage.sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by ordinal_position`;
    const changed: string[] = [];
    for (const [index, { name, type }] of columns.entries()) {
      const payment = agreed[index % agreed.length];
      const key = table === "transfers" ? "owner_id" : "id";
      const update = `update ${table} set ${name} = ${otherValue(name, type, thief)} where ${key} = '${payment?.id}'`;
      await stage.sql.unsafe(update).then(
        ({ count }) => count > 0 && changed.push(name),
        () => {},
      );
    }
    expect(changed.toSorted()).toEqual(CHANGEABLE[table].split(/\s+/).toSorted());
    const worker = stage.newTransfers();
    for (let pass = 0; pass < 12; pass += 1) {
      await runTransfersOnce(worker, chain.chain).catch(() => {});
      await chain.mine();
      // The test lifts each halt, so that the worker tries every payment.
      await stage.sql`update lane_halts set lifted_at = since, lifted_by = 'a', lift_reason = 'For the test.' where lifted_at is null`;
    }
    expect(await stage.tokenBalance(thief)).toBe(0n);
    for (const { recipient, amountBase } of agreed) expect([0n, amountBase]).toContain(await stage.tokenBalance(recipient));
    const received = await Promise.all(agreed.map(({ recipient }) => stage.tokenBalance(recipient)));
    const left = await stage.tokenBalance(stage.addresses[0] ?? "");
    expect(left + received.reduce((sum, each) => sum + each, 0n)).toBe(1_000_000_000_000n);
    expect(received.filter((each) => each > 0n).length).toBeGreaterThan(agreed.length / 2);
  },
);

it("a forged transaction, which seems to be signed already, gets no signature by a higher fee", async () => {
  const [payment] = await confirmPayments(1);
  const thief = newAddress();
  const forged = tokenTransfer(chain.tokens.USDT, thief, 900_000_000_000n);
  const [row] = await stage.sql<{ transfer: string; wallet: string; address: string; nonce: number }[]>`
    select t.id as transfer, w.id as wallet, w.address, w.next_nonce::int as nonce from transfers t, wallets w where t.owner_id = ${payment?.id ?? ""}`;
  if (row === undefined) throw new Error("nothing is owed");
  const hash = intentHash(chain.chain, row.address, forged);
  await stage.sql`update transfers set state = 'signed' where id = ${row.transfer}`;
  await stage.sql`update wallets set next_nonce = next_nonce + 1`;
  await stage.sql`insert into transactions (id, transfer_id, wallet_id, nonce, to_address, value_base, data, intent_hash, look_at, bump_at, created_at)
    values ('tn_forged', ${row.transfer}, ${row.wallet}, ${row.nonce}, ${forged.to}, 0, ${forged.data}, ${hash}, now(), now() - interval '1 hour', now())`;
  await stage.sql`insert into transaction_attempts (hash, transaction_id, number, kind, raw_bytes, max_fee_per_gas, max_priority_fee_per_gas, gas_limit, signed_at)
    values (${`0x${"ab".repeat(32)}`}, 'tn_forged', 1, 'payment', '0x02', 1000000000, 1, 100000, now() - interval '1 hour')`;
  const worker = stage.newTransfers();
  for (let pass = 0; pass < 6; pass += 1) {
    await runTransfersOnce(worker, chain.chain).catch(() => {});
    await chain.mine();
  }
  expect(await stage.tokenBalance(thief)).toBe(0n);
  const attempts = await stage.sql`select number, kind from transaction_attempts where transaction_id = 'tn_forged' and kind = 'payment'`;
  expect(attempts).toHaveLength(1);
});
