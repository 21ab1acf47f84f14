import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import type { By } from "#domain/access.ts";
import { exactText } from "#domain/money.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { readVitals } from "#server/services/maintenance/read-vitals.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addProvenPerson } from "#testing/people.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bookLoss } from "./book-loss.ts";
import { correctEntry } from "./correct-entry.ts";
import { declareFunding } from "./declare-funding.ts";
import { explainMovement } from "./explain-movement.ts";
import { liftHalt } from "./lift-halt.ts";
import { readSuspense } from "./read-suspense.ts";
import { settleLines } from "./settle-lines.ts";
import { watchMovements } from "./watch-movements.ts";

const THIEF = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/** Code for a wallet's address: it calls the contract in the first word with the rest, for anyone, as a stolen delegation does. */
const OBEYS = "0x6020360360206000376000600060203603600060006000355af15000";

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
let rule: ProxyRule;
let wallet: string;
/** It has the wallet. */
let worker: TransferEngine;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  rule = () => "pass";
  node = await startRpcProxy(chain.rpcUrl, (method, params) => rule(method, params));
  bench = await openTransferBench(chain, { confirmations: 3, rpcUrls: [node.url, chain.rpcUrl] });
  wallet = bench.addresses[0] ?? "";
  worker = bench.newWorker();
  await bench.run(worker, [], 1);
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  expect(await watch()).toBe(false);
});
afterEach(async () => {
  await bench.close();
  await node.stop();
});
afterAll(() => chain.stop());

const info = () => {
  const found = bench.ctx.evm.find(chain.chain);
  if (found === null) throw new Error("there is a chain");
  return found;
};
/** A pass of the duty. */
async function watch(on = info(), blocks?: number): Promise<boolean> {
  const more = await watchMovements(bench.ctx, on, "wallet", blocks);
  await settleLines(bench.ctx, on);
  return more;
}
const transferTo = (recipient: string, units: bigint) =>
  `a9059cbb${recipient.slice(2).toLowerCase().padStart(64, "0")}${(units * 1_000_000n).toString(16).padStart(64, "0")}`;

/** A stranger's transaction takes USDT out of the wallet, without the wallet's nonce. */
async function steal(units: bigint): Promise<string> {
  await chain.call("anvil_setCode", wallet, OBEYS);
  const data = `0x${chain.tokens.USDT.slice(2).toLowerCase().padStart(64, "0")}${transferTo(newAddress(), units)}`;
  const hash = await chain.call("eth_sendTransaction", { from: THIEF, to: wallet, data, gas: "0x30d40" });
  await chain.mine();
  return String(hash);
}
const halts = async () => (await listOpenHalts(bench.ctx)).map(({ scope, cause, evidence }) => ({ kind: scope.kind, cause, evidence }));
const kept = async () => await bench.sql`select hash, sender, amount_base::text as amount from unexplained_payments order by height`;
/** The lines that are not explained, with the state of each. */
const suspense = async () =>
  (
    await bench.sql<{ line: string }[]>`select concat_ws(' ', state, direction, amount_base, currency) as line from suspense_lines
    where resolution is null order by block_number, place`
  ).map(({ line }) => line);
const balance = async (account: string, currency = "USDT") =>
  (await listLedgerBalances(bench.db)).find((one) => one.account === account && one.currency === currency)?.amount ?? 0n;
async function broken(): Promise<string[]> {
  const { rules } = await auditDatabase({ db: bench.db, evm: bench.ctx.evm });
  return rules.flatMap(({ rule, violations }) => violations.map(({ detail }) => `${rule}: ${detail}`));
}
async function twoPeople(): Promise<[By, By]> {
  return [(await addProvenPerson(bench.db, "admin")).by, (await addProvenPerson(bench.db, "admin")).by];
}
const live = () => ({ ...bench.ctx, chains: bench.ctx.evm, mode: "live" as const });
const UNITS = 1_000_000n;
/** Somebody pays in. Its hash. */
async function deposit(units: bigint): Promise<string> {
  const data = `0x40c10f19${wallet.slice(2).toLowerCase().padStart(64, "0")}${(units * UNITS).toString(16).padStart(64, "0")}`;
  const hash = await chain.call("eth_sendTransaction", { from: THIEF, to: chain.tokens.USDT, data });
  await chain.mine();
  return String(hash);
}

it("a theft is seen in the newest block, by its hash, and halts its wallet once, also when one node hides it", async () => {
  const hash = await steal(400n);
  rule = (method) => (method === "eth_getLogs" ? { result: [] } : "pass");
  await Promise.all([watch(), watch()]);
  const evidence = { transactions: [expect.objectContaining({ hash, sender: THIEF.toLowerCase() })] };
  expect(await halts()).toEqual([{ kind: "wallet", cause: "unexplained_outflow", evidence }]);
  expect(await kept()).toEqual([{ hash, sender: wallet.toLowerCase(), amount: "400000000" }]);
  const owed = await bench.enqueuePayment();
  await Promise.all([worker, bench.newWorker()].map((sibling) => bench.run(sibling, [owed.id], 2)));
  expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued" });
  const [halt] = await listOpenHalts(bench.ctx);
  const { by } = await addProvenPerson(bench.db, "admin");
  await liftHalt({ ...bench.ctx, mode: "sandbox" }, { by, haltId: halt?.id ?? "", reason: "looked into" });
  await chain.mine(5);
  await watch();
  expect([await halts(), (await kept()).length]).toEqual([[], 1]);
});

it("a deposit from before its token's books begin is not listed: their opening balance counts it", async () => {
  const owner = openDatabase({ url: bench.url, applicationName: "owner", maxConnections: 1 });
  await owner.sql`delete from treasury_books where currency = 'USDT'`;
  const listed = async () => (await readSuspense({ db: bench.db, chains: bench.ctx.evm })).open.map(({ amountBase }) => amountBase);
  await deposit(5n);
  await watch();
  expect([await suspense(), await listed()]).toEqual([["seen in 5000000 USDT"], []]);
  const height = Number(await chain.call("eth_blockNumber"));
  await owner.sql`insert into treasury_books (chain, currency, height, begun_at) values (${chain.chain}, 'USDT', ${height}, now())`;
  await deposit(6n);
  await chain.mine(4);
  await watch();
  expect([await suspense(), await listed()]).toEqual([["booked in 6000000 USDT"], [6_000_000n]]);
  await owner.close();
});

it("what our own payments move is no theft, nor what a wallet's own key signs: that is seen by its nonce", async () => {
  const owed = await bench.enqueuePayment();
  expect(await bench.run(worker, [owed.id])).toMatchObject([{ state: "executed" }]);
  await chain.call("anvil_impersonateAccount", wallet);
  await chain.call("eth_sendTransaction", { from: wallet, to: chain.tokens.USDT, data: `0x${transferTo(newAddress(), 1n)}` });
  await chain.mine();
  await watch();
  expect([await halts(), await kept()]).toEqual([[], []]);
  await bench.sql`update wallets set state = 'retired'`;
  await watch();
  expect(await halts()).toMatchObject([{ cause: "unexplained_outflow" }]);
});

it("a node that refuses many blocks or results at once, or dies meanwhile, makes it skip nothing", async () => {
  const hash = await steal(7n);
  await chain.mine(50);
  const many = { code: -32005, message: "query returned more than 10000 results" };
  const span = ([filter]: unknown[]) => {
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
    return Number(toBlock) - Number(fromBlock);
  };
  const sole = { ...info(), nodes: info().nodes.slice(0, 1) };
  rule = (method) => (method === "eth_getLogs" ? "refuse" : "pass");
  expect(await watch(sole, 20)).toBe(false);
  expect(await kept()).toEqual([]);
  rule = (method, params) => (method === "eth_getLogs" && span(params) > 2 ? { error: many } : "pass");
  const more = [];
  for (let pass = 0; pass < 3; pass += 1) more.push(await watch(sole, 20));
  expect(more).toEqual([true, true, false]);
  expect(await kept()).toMatchObject([{ hash }]);
});

it("a deposit hides no theft: both are in suspense, and two people explain each by its hash", async () => {
  const opened = await balance("treasury");
  const [stolen, paidIn] = [await steal(400n), await deposit(1_000n)];
  await watch();
  expect(await suspense()).toEqual(["seen out 400000000 USDT", "seen in 1000000000 USDT"]);
  expect(await broken()).toEqual([]);
  await chain.mine(4);
  await watch();
  expect(await suspense()).toEqual(["booked out 400000000 USDT", "booked in 1000000000 USDT"]);
  expect([await balance("treasury"), await balance("suspense")]).toEqual([opened + 600n * UNITS, -600n * UNITS]);
  expect(await broken()).toEqual([]);

  const [ana, ben] = await twoPeople();
  const { proposal } = await bookLoss(live(), { by: ana, chain: chain.chain, hashes: [stolen], reason: "stolen through a delegation" });
  await confirmProposal(live(), { by: ben, id: proposal.id });
  expect([await balance("losses"), await balance("suspense")]).toEqual([400n * UNITS, -1_000n * UNITS]);
  const declared = {
    by: ana,
    chain: chain.chain,
    hash: paidIn.toUpperCase().replace("0X", "0x"),
    currency: "USDT",
    reason: "our own deposit",
  };
  const [wrong, right] = [
    await declareFunding(live(), { ...declared, amountBase: 999n * UNITS }),
    await declareFunding(live(), { ...declared, amountBase: 1_000n * UNITS }),
  ];
  await expect(confirmProposal(live(), { by: ana, id: right.proposal.id })).rejects.toMatchObject({ code: "same_approver" });
  await confirmProposal(live(), { by: ben, id: wrong.proposal.id });
  await watch();
  expect(await suspense()).toEqual(["booked in 1000000000 USDT"]);
  await confirmProposal(live(), { by: ben, id: right.proposal.id });
  await Promise.all([watch(), watch()]);
  expect(await suspense()).toEqual([]);
  expect([await balance("suspense"), await balance("treasury"), await balance("owner_funds")]).toEqual([
    0n,
    opened + 600n * UNITS,
    -opened - 1_000n * UNITS,
  ]);
  await expect(declareFunding(live(), { ...declared, amountBase: 1_000n * UNITS })).rejects.toMatchObject({ code: "invalid_state" });
  expect(await broken()).toEqual([]);
});

it("a deposit that was declared before is booked as soon as it is final, once", async () => {
  const [ana, ben] = await twoPeople();
  await chain.call("anvil_setNextBlockBaseFeePerGas", "0x1");
  const snapshot = await chain.call("evm_snapshot");
  const hash = await deposit(5n);
  await chain.call("evm_revert", snapshot);
  const { proposal } = await declareFunding(live(), {
    by: ana,
    chain: chain.chain,
    hash,
    currency: "USDT",
    amountBase: 5n * UNITS,
    reason: "announced",
  });
  await confirmProposal(live(), { by: ben, id: proposal.id });
  await watch();
  const before = await balance("owner_funds");
  expect(await deposit(5n)).toBe(hash);
  await chain.mine(4);
  await Promise.all([watch(), watch(), watch()]);
  expect([await suspense(), await balance("owner_funds")]).toEqual([[], before - 5n * UNITS]);
  expect(await broken()).toEqual([]);
});

it("a transfer of nothing, which anyone can log, halts nothing", async () => {
  await steal(0n);
  await watch();
  expect([await halts(), await suspense()]).toEqual([[], []]);
});

it("one node's false deposit is never booked, and goes away; one that only another node hides waits for it", async () => {
  const [treasury, opened] = [await balance("treasury"), await balance("owner_funds")];
  rule = (method) => (method === "eth_getLogs" ? { result: [] } : "pass");
  await deposit(3n);
  await chain.mine(4);
  await watch();
  expect(await suspense()).toEqual(["booked in 3000000 USDT"]);
  const snapshot = await chain.call("evm_snapshot");
  const hash = await deposit(7n);
  const [receipt, logs] = [
    await chain.call("eth_getTransactionReceipt", hash),
    await chain.call("eth_getLogs", { address: chain.tokens.USDT, fromBlock: "latest" }),
  ];
  await chain.call("evm_revert", snapshot);
  rule = (method, [asked]) =>
    method === "eth_getTransactionReceipt" && asked === hash ? { result: receipt } : method === "eth_getLogs" ? { result: logs } : "pass";
  await watch();
  expect(await suspense()).toEqual(["booked in 3000000 USDT", "seen in 7000000 USDT"]);
  await chain.mine(6);
  await watch();
  expect(await suspense()).toEqual(["booked in 3000000 USDT", "seen in 7000000 USDT"]);
  rule = () => "pass";
  await watch();
  expect(await suspense()).toEqual(["booked in 3000000 USDT", "gone in 7000000 USDT"]);
  expect([await balance("treasury"), await balance("owner_funds")]).toEqual([treasury + 3n * UNITS, opened]);
  expect(await broken()).toEqual([]);
});

it("a reorg takes a deposit away, and another block brings it back: the books follow, also a deep one's", async () => {
  const opened = await balance("treasury");
  const snapshot = await chain.call("evm_snapshot");
  const hash = await deposit(9n);
  await watch();
  expect(await suspense()).toEqual(["seen in 9000000 USDT"]);
  await chain.mine(4);
  await watch();
  expect([await suspense(), await balance("treasury")]).toEqual([["booked in 9000000 USDT"], opened + 9n * UNITS]);
  await chain.call("evm_revert", snapshot);
  await chain.mine(12);
  await watch();
  expect([await suspense(), await balance("treasury"), await balance("suspense")]).toEqual([["gone in 9000000 USDT"], opened, 0n]);
  expect(await broken()).toEqual([]);
  expect(await deposit(9n)).toBe(hash);
  await chain.mine(4);
  await watch();
  expect([await suspense(), await balance("treasury")]).toEqual([["booked in 9000000 USDT"], opened + 9n * UNITS]);
  expect(await broken()).toEqual([]);
});

it("an opening balance that one node made up is corrected by a reversing entry, by two people, once", async () => {
  const [entry] = await bench.sql<{ id: string }[]>`select id from ledger_entries where step = 'opened' and cause_id like '%USDC'`;
  const opened = await balance("treasury", "USDC");
  const [ana, ben] = await twoPeople();
  const command = { by: ana, entryId: entry?.id ?? "", written: exactText(opened - 7n, 6), reason: "a node made up seven" };
  const { proposal } = await correctEntry(live(), command);
  await confirmProposal(live(), { by: ben, id: proposal.id });
  expect([await balance("treasury", "USDC"), await balance("owner_funds", "USDC")]).toEqual([opened - 7n, 7n - opened]);
  await expect(correctEntry(live(), command)).rejects.toMatchObject({ code: "invalid_state" });
  expect(await bench.sql`select step from ledger_entries where cause_id like '%USDC' order by step`).toMatchObject([
    { step: "corrected" },
    { step: "opened" },
    { step: "reversed" },
  ]);
});

it("what comes into a Safe or leaves it is in suspense in one pass, but for our own; two people explain it, and no entry counts it", async () => {
  const safe = newAddress();
  const entries = await bench.sql`select count(*) from ledger_entries where step <> 'network_fees'`;
  await bench.sql`insert into safe_deployments (id, kind, chain, version, shared, owners, threshold, salt_nonce, state, address, created_at, updated_at)
    values ('sd_1', 'safe', ${chain.chain}, '1.4.1', false, ${[wallet]}, 1, '0', 'deployed', ${safe}, now(), now())`;
  const watchSafes = () => watchMovements(bench.ctx, info(), "safe");
  await watchSafes();
  const topup = await bench.enqueuePayment({ recipient: safe, purpose: "topup" });
  expect(await bench.run(worker, [topup.id])).toMatchObject([{ state: "executed" }]);
  await watchSafes();
  expect(await suspense()).toEqual([]);

  await chain.call("anvil_impersonateAccount", safe);
  await chain.call("anvil_setBalance", safe, "0xde0b6b3a7640000");
  const data = `0x${transferTo(newAddress(), 2n)}`;
  const hash = String(await chain.call("eth_sendTransaction", { from: safe, to: chain.tokens.USDT, data, gas: "0x186a0" }));
  await chain.mine();
  await Promise.all([watchSafes(), watchSafes()]);
  expect(await suspense()).toEqual(["seen out 2000000 USDT"]);
  expect(bench.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  const [sum] = (await readVitals(bench.ctx)).suspense;
  expect(sum).toMatchObject({ holder: "safe", direction: "out", count: 1, amountBase: 2_000_000n });
  const [ana, ben] = await twoPeople();
  const line = { by: ana, chain: chain.chain, hash, place: 0, holder: "safe" as const, reason: "the partner bears it" };
  await expect(explainMovement(live(), line)).rejects.toMatchObject({ code: "invalid_state" });
  await chain.mine(4);
  await watch();
  const { proposal } = await explainMovement(live(), line);
  await confirmProposal(live(), { by: ben, id: proposal.id });
  expect(await suspense()).toEqual([]);
  expect(await bench.sql`select count(*) from ledger_entries where step <> 'network_fees'`).toMatchObject(entries);
});
