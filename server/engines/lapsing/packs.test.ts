import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import type { Transfer } from "#domain/transfer.ts";
import { openSolanaChain } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { auditLapsingChain } from "#server/services/ledger/audit-lapsing-chain.ts";
import { readLapsingEvidence } from "#server/services/settlements/read-lapsing-evidence.ts";
import { liftHalts } from "#testing/halts.ts";
import { newSolanaWallet } from "#testing/solana.ts";
import { AMOUNT, openSolanaBench, type SolanaBench } from "#testing/solana-bench.ts";
import type { LapsingStep } from "./engine.ts";
import { runLapsingOnce } from "./run-lapsing.ts";

let bench: SolanaBench;
let cluster: SolanaBench["cluster"];
let chain: SolanaBench["chain"];
let database: SolanaBench["database"];

/** What some work moved and cost. The books say the same, to the lamport. */
async function measure(work: () => Promise<void>): Promise<{ paid: bigint; cost: bigint }> {
  const { feesBooked, ...moved } = await bench.measure(work);
  expect(feesBooked).toBe(moved.cost);
  return moved;
}

describe("several payments in one transaction on Solana", () => {
  let packing: LapsingChain;
  let signers: ReturnType<SolanaBench["signers"]>;
  beforeAll(async () => {
    bench = await openSolanaBench();
    ({ cluster, chain, database } = bench);
    packing = openSolanaChain({ ...cluster.settings([0, 1]), packing: true });
    signers = bench.signers({ on: packing });
  });
  beforeEach(async () => {
    for (const node of [0, 1]) await cluster.faults({}, node);
    await cluster.traffic();
  });
  afterAll(() => bench?.close());
  const packer = (observe?: (step: LapsingStep) => void) => bench.newWorker(observe, signers, packing);
  const oweSome = async (count: number) => await Promise.all(Array.from({ length: count }, () => bench.owe()));
  const pass = (worker: ReturnType<typeof packer>) => runLapsingOnce(worker, packing);
  /** What the rows say of payments and of the transactions that were to make them. */
  const story = async (of: readonly Transfer[]) =>
    await database.sql`select t.id, t.state, m.outcome, m.log_index as place, p.state as pack, p.failure_reason as why, p.id as "packId", t.tx_hash as hash
      from transfers t left join pack_members m on m.transfer_id = t.id left join transfers p on p.id = m.pack_id
      where t.id in ${database.sql(of.map(({ id }) => id))} order by m.position`;
  /** What the audits find, of rows and against the chain. */
  async function violations(): Promise<string[]> {
    const rows = await Promise.all(
      transferRules(null).map(async ({ name, violations: wrong }) => ({ name, wrong: await database.db.execute(wrong) })),
    );
    const onChain = await auditLapsingChain(
      { db: database.db },
      { chain, node: chain.nodes[0] as LapsingNode },
      { scope: null, endedSince: null },
    );
    return [
      ...rows.map(({ name, wrong }) => ({ name, count: wrong.length })),
      ...onChain.map(({ rule: name, violations: wrong }) => ({ name, count: wrong.length })),
    ]
      .filter(({ count }) => count > 0)
      .map(({ name }) => name);
  }

  it("pays six of seven together and one alone, each once, at its own instruction, and books one fee", async () => {
    const owed = await oweSome(7);
    const { paid, cost } = await measure(() => bench.run(packer(), owed));
    expect(paid).toBe(7n * AMOUNT);
    const rows = await story(owed);
    expect(rows.map(({ state, outcome, place, pack }) => [state, outcome, place, pack])).toEqual([
      ...[4, 7, 10, 13, 16, 19].map((place) => ["executed", "paid", place, "executed"]),
      ["executed", null, null, null],
    ]);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(2);
    const fees =
      await database.sql`select fee_base::text as base from network_fees where hash in ${database.sql(rows.map(({ hash }) => hash))}`;
    expect(fees).toHaveLength(2);
    expect(cost).toBeLessThan(7n * 2_039_280n + 2n * 6_000n);
    for (const transfer of owed) expect([await bench.held(transfer.recipient), await bench.announced(transfer)]).toEqual([AMOUNT, 1]);
    const [together] = rows;
    const member = await findTransfer(database.db, String(together?.id));
    const evidence = member && (await readLapsingEvidence({ db: database.db }, chain, member));
    expect(evidence).toMatchObject({ outcome: "proven", receipt: { hash: together?.hash, logIndex: together?.place } });
    expect(await violations()).toEqual([]);
  });

  it("makes each of them alone where their transaction lapses or is refused in its block, and the refused one fails", async () => {
    const worker = packer();
    const owed = await oweSome(3);
    const { paid } = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await pass(worker);
      expect((await story(owed)).map(({ state, pack }) => [state, pack])).toEqual(Array(3).fill(["packed", "broadcast"]));
      // A node that hides what it has proves nothing, and neither does one alone.
      await cluster.faults({ keepsBlocks: 20 }, 1);
      await cluster.advance(170);
      await pass(worker);
      expect((await story(owed)).map(({ state }) => state)).toEqual(Array(3).fill("packed"));
      await cluster.faults({}, 1);
      await cluster.traffic();
      await bench.run(worker, owed);
    });
    expect(paid).toBe(3n * AMOUNT);
    const alone = await story(owed);
    expect(alone.map(({ state, outcome, pack, why }) => [state, outcome, pack, why])).toEqual(
      Array(3).fill(["executed", "unpaid", "failed", expect.stringContaining("have lapsed")]),
    );
    expect(new Set(alone.map(({ hash }) => hash)).size).toBe(3);

    const refused = await bench.owe({ recipient: await newSolanaWallet() });
    await cluster.fund(refused.recipient, 0n, { USDC: 0n });
    const others = await oweSome(2);
    const all = [refused, ...others];
    const second = await measure(async () => {
      await cluster.traffic({ isCongested: true });
      await pass(worker);
      expect((await story(all)).map(({ state }) => state)).toEqual(Array(3).fill("packed"));
      await cluster.freeze(refused.recipient, "USDC");
      await cluster.traffic();
      await bench.run(worker, all);
    });
    expect(second.paid).toBe(2n * AMOUNT);
    expect([await bench.stateOf(refused), ...(await Promise.all(others.map(bench.stateOf)))]).toEqual(["failed", "executed", "executed"]);
    expect((await story(all)).map(({ outcome, pack }) => [outcome, pack])).toEqual(Array(3).fill(["unpaid", "failed"]));
    expect(await violations()).toEqual([]);
  });

  it("pays nobody twice where one node hides it past its expiry, nor where the database was put back to before it", async () => {
    const worker = packer();
    const owed = await oweSome(3);
    const { paid } = await measure(async () => {
      await pass(worker);
      const [{ packId } = { packId: "" }] = await story(owed);
      const [attempt] = await bench.attemptsOf({ id: packId });
      await cluster.faults({ hides: [attempt?.id] }, 0);
      await cluster.advance(170);
      for (let passes = 0; passes < 3; passes += 1) await pass(worker);
      expect((await story(owed)).map(({ state }) => state)).toEqual(Array(3).fill("packed"));
      await cluster.faults({}, 0);
      // As in a copy from before, which lacks one of the payments as well.
      const [lost] = owed;
      await database.sql`delete from lapsing_attempts where transfer_id = ${packId}`;
      await database.sql`delete from pack_members where pack_id = ${packId}`;
      await database.sql`delete from transfers where id in ${database.sql([packId, lost?.id ?? ""])}`;
      await database.sql`update transfers set state = 'queued' where id in ${database.sql(owed.map(({ id }) => id))}`;
      const left = owed.slice(1);
      await pass(worker);
      expect(await database.sql`select cause from lane_halts where lifted_at is null`).toEqual([{ cause: "database_behind" }]);
      await pass(worker);
      expect(await Promise.all(left.map(bench.stateOf)), "nothing is signed while it is halted").toEqual(["queued", "queued"]);
      await liftHalts(database.sql);
      await bench.run(worker, left);
      const found = await story(left);
      expect(found.map(({ state, outcome, packId: again, hash }) => [state, outcome, again, hash])).toEqual(
        Array(2).fill(["executed", "paid", packId, attempt?.id]),
      );
    });
    expect(paid, "also the lost one").toBe(3n * AMOUNT);
    expect(await violations()).toEqual([]);
  });
});
