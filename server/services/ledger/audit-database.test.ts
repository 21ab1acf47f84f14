import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findTransferOf } from "#db/queries/transfers/transfers.ts";
import { newId } from "#domain/ids.ts";
import { PLACES } from "#domain/kept-event.ts";
import { Unreachable } from "#server/ports.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, addTerms, setRate } from "#testing/factories.ts";
import { openTamperer } from "#testing/tamper.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { auditDatabase } from "./audit-database.ts";
import { auditLines } from "./audit-report.ts";

let chain: TestChain;
let bench: TransferBench;
let tamperer: ReturnType<typeof openTamperer>;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  bench = await openTransferBench(chain, { onFinal: completeOwner, wallets: 2 });
  tamperer = openTamperer(bench.url);
  await pay([newAddress(), newAddress(), newAddress(), chain.blockedWallet]);
});
afterAll(async () => {
  await tamperer.close();
  await bench.close();
  await chain.stop();
});

/** Settlements to these wallets, followed to their end on the chain; and one that is only quoted. */
async function pay(wallets: string[]): Promise<void> {
  const partner = await addPartner(bench.db);
  await addTerms(bench.db, { spreadBps: 35 });
  await setRate(bench.db, "0.0077123");
  const ctx = { db: bench.db, chains: bench.ctx.evm, policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 } };
  const create = (walletAddress: string) =>
    createSettlement(ctx, {
      ...partner,
      by: { ...partner.by, requestId: newId("request", new Date()) },
      sourceAmountMinor: 1_234_567n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "merchant-1",
      chain: chain.chain,
      walletAddress,
      callbackUrl: "http://localhost:9/callback",
    });
  const ids: string[] = [];
  for (const wallet of wallets) {
    const { id } = await create(wallet);
    await confirmSettlement(ctx, { ...partner, id, externalTxId: `ref-${id}`, callbackUrl: null, expectedDestinationAmount: null });
    ids.push((await findTransferOf(bench.db, "settlement", id))?.id ?? "");
  }
  await create(newAddress());
  await bench.run(bench.newWorker(), ids, 20);
}

/** Which rules are found broken after a change that is undone again. */
async function brokenBy(change: string): Promise<string[]> {
  const { rules } = await tamperer.tamper(change, (tx) => auditDatabase({ db: tx, evm: bench.ctx.evm }));
  return rules.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
}

const EXECUTED = "(select id from settlements where status = 'executed' order by id limit 1)";
const FAILED = "(select id from settlements where status = 'failed')";
const ENTRY = "(select id from ledger_entries where cause = 'settlement' order by id limit 1)";

describe("the audit", () => {
  it("proves a database and its chain clean, and has looked at something under each rule", async () => {
    const report = await auditDatabase({ db: bench.db, evm: bench.ctx.evm });
    expect(auditLines(report).filter((line) => !line.startsWith("✓"))).toEqual([
      `${report.rules.length} rules, ${report.checked} checks, 0 violations`,
    ]);
    const checked = Object.fromEntries(report.rules.map((rule) => [rule.rule, rule.checked]));
    expect(checked).toMatchObject({
      settlement_price: 5,
      settlement_keeps_its_quote: 5,
      executed_was_paid_once: 3,
      unexecuted_was_not_paid: 2,
      callback_where_due: 4,
      ledger_balances: 6,
      final_attempt_has_its_fee: 3,
      ledger_of_settlements: 5,
      transfer_hash_is_an_attempt: 3,
      change_has_its_event: 13,
      settlement_counts_its_events: 5,
      last_event_agrees: 4,
      executed_is_on_the_chain: 3,
      failed_is_not_on_the_chain: 1,
      treasury_is_there: 3,
      one_balance_counted_once: 2,
    });
  });

  it("looks only at what was made since an instant, where one is given", async () => {
    const report = await auditDatabase({ db: bench.db, evm: bench.ctx.evm }, { since: new Date(Date.now() + 60_000) });
    const looked = report.rules.filter(({ checked }) => checked > 0).map(({ rule }) => rule);
    expect(looked).toEqual(["treasury_is_there", "one_balance_counted_once"]);
  });

  it("says that nothing is proven of a chain none of whose nodes answers", async () => {
    const silent = bench.ctx.evm.list().map((one) => ({ ...one, nodes: [] }));
    const report = await auditDatabase({ db: bench.db, evm: { list: () => silent, find: () => null } });
    expect(report.rules.find(({ rule }) => rule === "chain_was_asked")?.violations).toMatchObject([{ subject: chain.chain, chain: null }]);
  });

  it("says what a node could not show, and still asks the rest", async () => {
    const gone = async () => {
      throw new Unreachable("the node no longer has block 7");
    };
    const forgetful = bench.ctx.evm.list().map((one) => ({
      ...one,
      nodes: one.nodes.map((node) => new Proxy(node, { get: (of, name) => (name === "balance" ? gone : Reflect.get(of, name)) })),
    }));
    const { rules } = await auditDatabase({ db: bench.db, evm: { list: () => forgetful, find: () => null } });
    const violations = rules.filter((rule) => rule.violations.length > 0);
    expect(violations.flatMap((rule) => rule.violations.map(({ detail }) => `${rule.rule}: ${detail}`))).toEqual([
      "chain_was_asked: not proven: the node no longer has block 7",
    ]);
    expect(rules.find(({ rule }) => rule === "executed_is_on_the_chain")?.checked).toBe(3);
  });
});

describe("the audit measures", () => {
  it("how long a payment is in its block by the real clock, wherever the sandbox's clock was moved to", async () => {
    const mined = (age: string) =>
      `update transfers set state = 'mined', executed_at = null, due_at = now(), updated_at = now() - interval '${age}' where owner_id = ${EXECUTED};
       insert into business_clock values (true, 86400000)`;
    expect(await brokenBy(mined("1 minute"))).not.toContain("mined_has_ended");
    expect(await brokenBy(mined("2 hours"))).toContain("mined_has_ended");
  });
});

describe("the audit finds", () => {
  const CASES: [what: string, broken: string[], change: string][] = [
    [
      "amounts that do not add up",
      ["settlement_adds_up", "settlement_keeps_its_quote", "ledger_of_settlements"],
      `update settlements set gross_base = gross_base + 1 where id = ${EXECUTED}`,
    ],
    [
      "a quote in force that was changed",
      ["settlement_keeps_its_quote"],
      `update settlements set mid_rate = mid_rate * 2 where id = ${EXECUTED}`,
    ],
    [
      "a second quote that nobody approved",
      ["settlement_keeps_its_quote", "settlement_price"],
      `insert into settlement_quotes select settlement_id, 2, exchange_rate, mid_rate, spread_bps, rate_source, rate_as_of, pair_terms_id, gross_base,
        platform_fee_base, destination_amount_base, priced_at, expires_at, partner_id from settlement_quotes where settlement_id = ${EXECUTED}`,
    ],
    [
      "a settlement of a request that was refused",
      ["made_by_no_refused_request"],
      `with r as (insert into api_requests (id, at, surface, operation, method, path, query, status, code, duration_ms, address, replayed)
        values ('req_refused', now(), 'settlement', 'create_settlement', 'POST', '/', '', 401, 'nonce_reused', 1, '', false))
        update audit_entries set request_id = 'req_refused' where action = 'settlement.created' and object_id = ${EXECUTED}`,
    ],
    [
      "two settlements of one request",
      ["one_settlement_a_request"],
      "update audit_entries set request_id = 'req_twice' where action = 'settlement.created'",
    ],
    [
      "an approval of what nobody had to approve",
      ["approved_by_enough"],
      `insert into settlement_approvals select id, 'user', gen_random_uuid(), now(), null, partner_id from settlements where id = ${EXECUTED}`,
    ],
    [
      "a rate that does not follow from its mid rate",
      ["settlement_price"],
      `with q as (update settlement_quotes set mid_rate = 0.008 where settlement_id = ${EXECUTED}) update settlements set mid_rate = 0.008 where id = ${EXECUTED}`,
    ],
    ["a fee that the terms do not know", ["settlement_price"], "update pair_terms set platform_fee_base = platform_fee_base + 1"],
    [
      "a confirmation after the quote ran out",
      ["settlement_confirmed_in_time", "settlement_price"],
      `with q as (update settlement_quotes set expires_at = priced_at + interval '1 millisecond' where settlement_id = ${EXECUTED})
        update settlements set expires_at = priced_at + interval '1 millisecond' where id = ${EXECUTED}`,
    ],
    [
      "a payment of another amount",
      ["executed_was_paid_once", "executed_is_on_the_chain"],
      `update transfers set amount_base = amount_base + 1 where owner_id = ${EXECUTED}`,
    ],
    [
      "a payment to somebody else",
      ["executed_was_paid_once", "executed_is_on_the_chain"],
      `update transfers set recipient = '0x00000000000000000000000000000000000000aa' where owner_id = ${EXECUTED}`,
    ],
    [
      "an execution without a transfer",
      ["executed_was_paid_once", "unexecuted_was_not_paid"],
      `update transfers set owner_id = 'tx_other' where owner_id = ${EXECUTED}`,
    ],
    [
      "a hash that is not the payment's",
      ["executed_was_paid_once", "callback_tells_the_record"],
      `update settlements set tx_hash = (select tx_hash from transfers where owner_id <> ${EXECUTED} and state = 'executed' limit 1) where id = ${EXECUTED}`,
    ],
    [
      "a failure that was paid",
      ["unexecuted_was_not_paid", "callback_where_due", "callback_tells_the_record", "last_event_agrees", "ledger_of_settlements"],
      `update settlements set status = 'failed', tx_hash = null, executed_at = null, failure_reason = 'x' where id = ${EXECUTED}`,
    ],
    ["a terminal change without a callback", ["callback_where_due"], `delete from callbacks where subject_id = ${EXECUTED}`],
    [
      "a callback about what did not happen",
      ["callback_where_due", "callback_tells_the_record"],
      `update callbacks set event = 'settlement.approved' where subject_id = ${EXECUTED}`,
    ],
    [
      "a callback that goes elsewhere",
      ["callback_where_due"],
      `update callbacks set url = 'http://localhost:9/else' where subject_id = ${EXECUTED}`,
    ],
    [
      "a callback whose body has another amount",
      ["callback_tells_the_record"],
      `update callbacks set body = jsonb_set(body::jsonb, '{destination_amount}', '1')::text where subject_id = ${EXECUTED}`,
    ],
    [
      "a callback that is delivered and never was",
      ["callback_state_follows"],
      `update callbacks set state = 'delivered', due_at = null, delivered_at = now() where subject_id = ${EXECUTED}`,
    ],
    [
      "an attempt before its time and out of order",
      ["callback_attempts_in_order"],
      `insert into callback_attempts (id, callback_id, partner_id, series, number, scheduled_at, sent_at)
        select 'ca_1', id, partner_id, 1, 2, created_at, created_at from callbacks where subject_id = ${EXECUTED}`,
    ],
    [
      "an entry that does not add up",
      ["ledger_balances", "ledger_of_settlements"],
      `update ledger_postings set amount = amount + 1 where entry_id = ${ENTRY} and line = 1`,
    ],
    [
      "an entry that lost a posting",
      ["ledger_balances", "ledger_of_settlements"],
      `delete from ledger_postings where entry_id = ${ENTRY} and line = 1`,
    ],
    [
      "an execution that was never booked",
      ["ledger_of_settlements", "treasury_is_there"],
      `with p as (delete from ledger_postings where entry_id = ${ENTRY}) delete from ledger_entries where id = ${ENTRY}`,
    ],
    [
      "an entry without a cause",
      ["ledger_has_a_cause", "ledger_of_settlements"],
      `update ledger_entries set cause_id = 'tx_other' where id = ${ENTRY}`,
    ],
    [
      "money in the treasury that nobody can explain",
      ["ledger_of_settlements", "treasury_is_there"],
      `update ledger_postings set amount = amount - sign(amount) * 5 where entry_id = ${ENTRY} and account in ('treasury', 'conversion') and chain is not null`,
    ],
    [
      "an event that was lost",
      ["change_has_its_event", "event_versions_rise_by_one"],
      `delete from events where object_id = ${EXECUTED} and type = 'settlement.confirmed'`,
    ],
    [
      "an event of what did not happen",
      ["change_has_its_event", "last_event_agrees"],
      `insert into events select 'ev_' || substr(id, 4, 10) || repeat('z', 16), partner_id, position, version + 1, object_type, object_id, 'settlement.failed',
        audience, created_at, data from events where object_id = ${EXECUTED} and type = 'settlement.executed'`,
    ],
    [
      "a change that never wrote its event",
      ["change_has_its_event", "settlement_counts_its_events"],
      `with e as (delete from events where object_id = ${EXECUTED} and type = 'settlement.executed')
        update settlements set events_recorded = events_recorded - 1 where id = ${EXECUTED}`,
    ],
    [
      "an event that says another amount",
      ["last_event_agrees"],
      `update events set data = jsonb_set(data::jsonb, '{${PLACES.indexOf("destination_amount")}}', '1')::json where object_id = ${EXECUTED} and type = 'settlement.executed'`,
    ],
    ["a transfer whose transaction does something else", ["transfer_has_one_transaction"], "update transactions set to_address = null"],
    [
      "an execution under a nonce that was given up",
      ["transfer_has_one_transaction", "transfer_hash_is_an_attempt"],
      `update transactions set superseded_at = clock_timestamp() where transfer_id = (select id from transfers where owner_id = ${EXECUTED})`,
    ],
    [
      "an execution by bytes that are not its own",
      ["cancellation_was_asked", "transfer_hash_is_an_attempt"],
      `update transaction_attempts set kind = 'cancellation' where hash = (select tx_hash from settlements where id = ${EXECUTED})`,
    ],
    [
      "an execution that is not on the chain",
      ["executed_was_paid_once", "transfer_hash_is_an_attempt", "executed_is_on_the_chain"],
      `update transfers set tx_hash = '0x' || repeat('ab', 32) where owner_id = ${EXECUTED}`,
    ],
    [
      "an execution in another block",
      ["executed_is_on_the_chain"],
      `update transfers set block_hash = '0x00' where owner_id = ${EXECUTED}`,
    ],
    [
      "a failed settlement whose payment is on the chain",
      ["executed_was_paid_once", "failed_is_not_on_the_chain"],
      `update transfers set state = 'failed', failure_reason = 'x', executed_at = null where owner_id = ${EXECUTED}`,
    ],
    [
      "a payment of a withdrawal that is not there",
      ["transfer_has_an_owner"],
      `insert into transfers (id, purpose, owner_id, chain, currency, token_decimals, amount_base, recipient, state, due_at, created_at, updated_at)
        select 'tf_forged', 'return', 'wd_forged', chain, currency, token_decimals, 1, recipient, 'queued', now(), now(), now() from transfers limit 1`,
    ],
    [
      "a payment that is mined and never ends",
      ["executed_was_paid_once", "mined_has_ended", "treasury_is_there"],
      `update transfers set state = 'mined', executed_at = null, due_at = now(), updated_at = now() - interval '2 hours' where owner_id = ${EXECUTED}`,
    ],
    [
      "tokens that left a wallet four days ago and are booked as nothing",
      ["outflow_is_explained"],
      `insert into unexplained_payments select chain, '0x' || repeat('ab', 32), place, lower(address), 7, 1, '0xtoken', lower(address), '0xthief', 5, now() - age
        from (select chain, address from wallets limit 1) w, (values (0, interval '4 days'), (1, interval '2 days')) as made (place, age)`,
    ],
    [
      "a movement that is explained, and nobody said so",
      ["suspense_agrees"],
      `insert into suspense_lines select chain, '0x' || repeat('ab', 32), place, 'safe', 'out', 'USDT', 6, '0xtoken', '0xsafe', '0xthief', 5, 1, '0x1', 'booked', 0,
        reason, null, now(), now() from (select chain from wallets limit 1) w, (values (0, 'explained'), (1, 'funding'), (2, 'loss'), (3, 'payment')) as made (place, reason)`,
    ],
    [
      "money in suspense that no movement explains",
      ["suspense_agrees"],
      `with forged as (insert into ledger_entries (id, cause, cause_id, step, phase, lines, at)
          values ('le_forged', 'treasury', 'forged', 'funded', 'posted', 2, now()) returning id, lines, phase)
        insert into ledger_postings (entry_id, line, lines, phase, account, currency, chain, decimals, amount)
        select id, line, lines, phase, account, 'USDT', (select chain from wallets limit 1), 6, amount
        from forged, (values (1, 'owner_funds', 5), (2, 'suspense', -5)) as posted (line, account, amount)`,
    ],
    [
      "a cancellation that nobody asked for",
      ["cancellation_was_asked"],
      `insert into transaction_attempts select '0x' || repeat('cd', 32), transaction_id, number + 1, 'cancellation', raw_bytes, max_fee_per_gas,
        max_priority_fee_per_gas, gas_limit, signed_at, broadcast_at from transaction_attempts where hash = (select tx_hash from settlements where id = ${EXECUTED})`,
    ],
    ["a failed settlement that has no end of its own", ["unexecuted_was_not_paid"], `delete from transfers where owner_id = ${FAILED}`],
  ];
  for (const [what, expected, change] of CASES) {
    it(what, async () => {
      expect((await brokenBy(change)).sort()).toEqual(expected.sort());
    });
  }
});
