import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { runLapsingOnce } from "#server/engines/lapsing/run-lapsing.ts";
import { silentLog } from "#testing/callbacks.ts";
import { processOf } from "#testing/database.ts";
import { AMOUNT, openSolanaBench, type SolanaBench } from "#testing/solana-bench.ts";
import { auditDatabase } from "./audit-database.ts";
import { keepLapsingTreasury } from "./lapsing-treasury.ts";

let bench: SolanaBench;
beforeAll(async () => {
  bench = await openSolanaBench();
  // The first pass registers the wallet.
  await runLapsingOnce(bench.newWorker(), bench.chain);
  await keepBooks();
});
beforeEach(async () => {
  await bench.cluster.faults({}, 0);
  await bench.cluster.faults({}, 1);
  await bench.cluster.traffic();
});
afterAll(() => bench?.close());

const directory = () => ({ list: () => [bench.chain], find: () => bench.chain });
const newKeeper = () => keepLapsingTreasury({ db: processOf(bench.db, "worker"), log: silentLog, lapsing: directory() });
/** By a worker that has not looked before. */
const keepBooks = () => newKeeper().run();
const booked = async () =>
  Object.fromEntries(
    (
      await bench.sql`select currency, sum(amount)::text as amount from ledger_postings where account = 'treasury' and phase = 'posted' group by 1`
    ).map(({ currency, amount }) => [currency, BigInt(amount)]),
  );
const deposits = async () =>
  (await bench.sql`select step, cause_id from ledger_entries where cause = 'treasury' and step in ('opened', 'funded') order by id`).length;
/** What the rules that ask the chain find. */
async function audit() {
  const { rules } = await auditDatabase({ db: bench.db, lapsing: directory() });
  const asked = rules.filter(({ rule }) =>
    ["executed_is_on_the_chain", "failed_is_not_on_the_chain", "treasury_is_there", "chain_was_asked"].includes(rule),
  );
  return {
    checked: Object.fromEntries(asked.map(({ rule, checked }) => [rule, checked])),
    faults: asked.flatMap(({ rule, violations }) => violations.map(({ detail, chain }) => ({ rule, detail, chain }))),
  };
}

it("opens the books with what the wallets hold, once, and counts payments and fees from there", async () => {
  const opened = await booked();
  expect([opened.USDC, opened.SOL]).toEqual([1_000_000_000n, 100_000_000_000n]);
  const count = await deposits();
  const transfers = [await bench.owe(), await bench.owe()];
  await bench.run(bench.newWorker(), transfers);
  await Promise.all([keepBooks(), keepBooks()]);
  expect(await deposits()).toBe(count);
  expect(await audit()).toEqual({
    checked: {
      executed_is_on_the_chain: 2,
      failed_is_not_on_the_chain: 0,
      chain_was_asked: 2,
      treasury_is_there: Object.keys(opened).length,
    },
    faults: [],
  });
});

it("books a deposit once, by two workers at the same time, and none while a payment is in progress or a node shows less", async () => {
  const before = (await booked()).USDC ?? 0n;
  await bench.cluster.fund(bench.treasury, 0n, { USDC: 77n });
  await bench.cluster.finish();
  const transfer = await bench.owe();
  await bench.cluster.traffic({ isCongested: true });
  await runLapsingOnce(bench.newWorker(), bench.chain);
  await keepBooks();
  expect((await booked()).USDC).toBe(before);
  await bench.cluster.traffic();
  await bench.run(bench.newWorker(), [transfer]);
  await bench.cluster.faults({ isSilent: true }, 1);
  await keepBooks();
  const paid = (await booked()).USDC ?? 0n;
  await bench.cluster.faults({}, 1);
  await Promise.all([keepBooks(), keepBooks(), keepBooks()]);
  expect([paid, (await booked()).USDC]).toEqual([before - AMOUNT, before - AMOUNT + 77n]);
});

it("books each of two deposits by the same worker, which reads the books only where a balance has changed", async () => {
  const keeper = newKeeper();
  await keeper.run();
  const before = (await booked()).USDC ?? 0n;
  for (const sum of [5n, 12n]) {
    await bench.cluster.fund(bench.treasury, 0n, { USDC: sum === 5n ? 5n : 7n });
    await bench.cluster.finish();
    await keeper.run();
    await keeper.run();
    expect((await booked()).USDC).toBe(before + sum);
  }
});

it("finds what a row or the chain contradicts: another amount, another block, a payment of a failed one, and what is missing", async () => {
  const [paid, other] = [await bench.owe(), await bench.owe()];
  await bench.run(bench.newWorker(), [paid, other]);
  const { chain } = bench.chain;
  const owner = openDatabase({ url: bench.database.url, applicationName: "owner", maxConnections: 1 });
  const change = (statement: string) =>
    owner.sql.unsafe(`alter table transfers disable trigger user; ${statement}; alter table transfers enable trigger user`);
  const forged = async (statement: string, undo: string) => {
    await change(statement);
    const { faults } = await audit();
    await change(undo);
    return faults;
  };
  const set = (what: string) => `update transfers set ${what} where id = '${paid.id}'`;
  const [attempt] = await bench.attemptsOf(paid);
  const found = (detail: string, rule = "executed_is_on_the_chain") => ({ rule, detail: expect.stringContaining(detail), chain });
  expect(await forged(set(`amount_base = ${AMOUNT + 1n}`), set(`amount_base = ${AMOUNT}`))).toEqual([found("does not pay what is owed")]);
  expect(await forged(set(`recipient = '${other.recipient}'`), set(`recipient = '${paid.recipient}'`))).toEqual([
    found("does not pay what is owed"),
  ]);
  expect(
    await forged(
      set("state = 'failed', failure_reason = 'x', executed_at = null"),
      set("state = 'executed', failure_reason = null, executed_at = now()"),
    ),
  ).toEqual([found(`${attempt?.id} has paid as well`, "failed_is_not_on_the_chain")]);
  await owner.sql.unsafe(
    `alter table network_fees disable trigger user; update network_fees set fee_base = fee_base + 1 where hash = '${attempt?.id}'`,
  );
  expect((await audit()).faults).toEqual([found("is booked")]);
  await owner.sql.unsafe(
    `update network_fees set fee_base = fee_base - 1 where hash = '${attempt?.id}'; alter table network_fees enable trigger user`,
  );
  expect((await audit()).faults).toEqual([]);
  // Somebody has the key.
  const stolen = await bench.chain.nodes[0]?.prepare({
    sender: bench.treasury,
    recipient: other.recipient,
    token: bench.cluster.mints.USDC ?? "",
    amountBase: 5n,
    reference: "x",
  });
  for (const node of bench.chain.nodes) await node.send(await bench.key.sign(stolen?.bytes ?? ""));
  await bench.cluster.finish();
  expect((await audit()).faults).toEqual([
    found("SOL is missing", "treasury_is_there"),
    found("0.000005 USDC is missing", "treasury_is_there"),
  ]);
  // A node that no longer has the block proves nothing, and halts no chain.
  await bench.cluster.advance(30);
  await bench.cluster.faults({ keepsBlocks: 5 }, 0);
  const { faults } = await audit();
  expect(faults.length).toBeGreaterThan(0);
  const rules = new Set(faults.filter(({ rule }) => rule !== "treasury_is_there").map((fault) => `${fault.rule} ${fault.chain}`));
  expect(rules).toEqual(new Set(["chain_was_asked null"]));
  await bench.cluster.faults({}, 0);
  await owner.close();
});
