import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { type Journal, type JournalState, JournalUnwritable } from "#domain/journal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Disk } from "#server/adapters/journal/disk.ts";
import { firstBytes } from "#server/adapters/journal/open-journal.ts";
import { createTransferEngine, type TransferEngine, type TransferStep } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { Died } from "#testing/death.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** The signer's memory apart from the database: neither a restored database nor lying nodes make it sign twice. */

let chain: TestChain;
let bench: TransferBench;
let backup: TestDatabase | null = null;
let nodes: RpcProxy[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await backup?.close();
  backup = null;
  await bench.close();
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});
afterAll(() => chain.stop());

/** Two nodes that can both lie. */
async function setUp(options: BenchOptions = {}): Promise<void> {
  nodes = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
  bench = await openTransferBench(chain, { rpcUrls: nodes.map(({ url }) => url), ...options });
  await passes(bench.newWorker(), 1);
  await bench.letLeasesLapse();
}

async function passes(worker: TransferEngine, count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

async function keepBackup(): Promise<TestDatabase> {
  await bench.sql`update wallets set lease_owner = null, lease_until = null`;
  backup = await copyTestDatabase(bench);
  return backup;
}

const workerOn = (database: Pick<TestDatabase, "db">, journal: Journal = bench.journal.open()): TransferEngine =>
  createTransferEngine({
    ctx: { ...bench.ctx, db: database.db, signers: bench.signersOf({ db: database.db, journal }) },
    workerId: randomUUID(),
    onFinal: async () => {},
    timings: { restMs: 0, lookMs: 0, balanceMs: 0, leaseSeconds: 30 },
  });

/** From now on the nodes know nothing of what the wallets have sent since, neither in blocks nor in their pools. */
function lieAboutCounts(counts: ReadonlyMap<string, string>): void {
  for (const node of nodes)
    node.rule = (method, params) => {
      const count = method === "eth_getTransactionCount" ? counts.get(String(params[0]).toLowerCase()) : undefined;
      if (count !== undefined) return { result: count };
      return method === "eth_getTransactionByHash" ? { result: null } : "pass";
    };
}

async function countsNow(): Promise<Map<string, string>> {
  const count = async (address: string) =>
    [address.toLowerCase(), String(await chain.call("eth_getTransactionCount", address, "latest"))] as const;
  return new Map(await Promise.all(bench.addresses.map(count)));
}

const received = async ({ recipient, amountBase }: Transfer) => Number((await bench.tokenBalance(recipient)) / amountBase);
const haltsOf = async (database: Pick<TestDatabase, "db">) => await listOpenHalts({ db: database.db });
const causesOf = async (database: Pick<TestDatabase, "db">) => (await haltsOf(database)).map(({ cause }) => cause);
const attemptsIn = async ({ sql }: Pick<TestDatabase, "sql">) => (await sql`select 1 from transaction_attempts`).length;
const entries = () => readFileSync(bench.journal.path, "utf8").trim().split("\n").slice(1);

/** Payments that both databases know, made in one of them only; the other is as it was before. */
async function payAndPutBack(count: number): Promise<{ paid: Transfer[]; restored: TestDatabase }> {
  const counts = await countsNow();
  const paid: Transfer[] = [];
  for (let made = 0; made < count; made += 1) paid.push(await bench.enqueuePayment());
  const restored = await keepBackup();
  await bench.run(
    bench.newWorker(),
    paid.map(({ id }) => id),
  );
  expect(await Promise.all(paid.map(received))).toEqual(paid.map(() => 1));
  lieAboutCounts(counts);
  return { paid, restored };
}

describe("a database that was put back, while every node says that it knows nothing of what was sent since", () => {
  it.each([1, 2])("signs nothing, and halts the chain (%i wallets)", async (wallets) => {
    await setUp({ wallets });
    const { paid, restored } = await payAndPutBack(3);
    await passes(workerOn(restored), 12);
    expect(await Promise.all(paid.map(received))).toEqual([1, 1, 1]);
    expect(await attemptsIn(restored)).toBe(0);
    const [halt, ...more] = await haltsOf(restored);
    expect(more).toEqual([]);
    expect(halt).toMatchObject({ scope: { kind: "chain", key: chain.chain }, cause: "database_behind" });
    expect(halt?.detail).toMatch(/The database was restored, or lost its last commits: the signing journal knows more\. Nonce \d+ of 0x/);
    expect(halt?.evidence).toMatchObject({ wallets: expect.arrayContaining([expect.objectContaining({ next_nonce: 0 })]) });
  });

  it("pays nothing again by another wallet, while somebody else holds the one that paid", async () => {
    await setUp({ wallets: 2 });
    const { paid, restored } = await payAndPutBack(1);
    const [{ address = "" } = {}] = await bench.sql<{ address: string }[]>`select address from wallets where next_nonce = 1`;
    await restored.sql`update wallets set lease_owner = 'another', lease_until = clock_timestamp() + interval '1 day' where address = ${address}`;
    await passes(workerOn(restored), 12);
    expect(await Promise.all(paid.map(received))).toEqual([1]);
    expect([await attemptsIn(restored), await causesOf(restored)]).toEqual([0, ["database_behind"]]);
  });

  it("sends nothing to an owner that was paid, though the wallet's next nonce is right again", async () => {
    await setUp();
    const { paid, restored } = await payAndPutBack(1);
    await restored.sql`update wallets set next_nonce = 1`;
    for (const node of nodes) node.rule = () => "pass";
    const more = await bench.enqueuePayment();
    await passes(workerOn(restored), 6);
    expect(await Promise.all(paid.map(received))).toEqual([1]);
    const [halt] = await haltsOf(restored);
    expect(halt).toMatchObject({
      cause: "journal_contradiction",
      evidence: { refused: [{ nonce: 1, fault: "owner_paid", journal_nonce: 0 }] },
    });
    expect(halt?.detail).toMatch(
      /The journal says that settlement:\w+ was paid under nonce 0 of 0x\w+, and nothing proves that this came to nothing/,
    );
    expect(await findTransfer(restored.db, paid[0]?.id ?? "")).toMatchObject({
      state: "signed",
      waitingReason: expect.stringContaining("signing journal"),
    });
    expect(entries()).toHaveLength(1);
    expect(await received(more)).toBe(0);
  });

  it("sends nothing under a nonce that was signed for somebody else, whatever the database says of it", async () => {
    await setUp();
    const { paid, restored } = await payAndPutBack(1);
    // The mark is believed to be lower for as long as the first worker takes to sign.
    const journal = bench.journal.open();
    const blind: Journal = {
      ...journal,
      read: async (installation) => {
        const reading = await journal.read(installation);
        const holds: JournalState["holds"] = (place) => reading.state.holds(place);
        return { ...reading, state: { marks: () => [], holds } as unknown as JournalState };
      },
    };
    await restored.sql`update transfers set rest_until = clock_timestamp() + interval '1 day'`;
    await bench.letLeasesLapse();
    const other = await bench.enqueuePayment();
    await restored.sql`insert into transfers select * from json_populate_record(null::transfers, ${JSON.stringify((await bench.sql`select to_json(t) as row from transfers t where id = ${other.id}`)[0]?.row)}::json)`;
    await passes(workerOn(restored, blind), 6);
    expect([await received(other), ...(await Promise.all(paid.map(received)))]).toEqual([0, 1]);
    expect(await haltsOf(restored)).toMatchObject([
      { cause: "journal_contradiction", evidence: { refused: [{ nonce: 0, fault: "nonce_taken" }] } },
    ]);
  });
});

describe("a journal that cannot be trusted", () => {
  const damages: [string, RegExp, () => void][] = [
    ["is missing", /is missing/, () => rmSync(bench.journal.path)],
    ["is empty", /is empty or cut off/, () => writeFileSync(bench.journal.path, "")],
    ["was changed", /is damaged after its record 2/, () => replaceInJournal('"nonce":1', '"nonce":7')],
    ["lost a line", /is damaged after its record 1/, () => keepLines((line) => !line.includes('"nonce":0'))],
    [
      "was cut off",
      /has 2 records, and it had 3: it was cut off, or an older copy is in its place/,
      () => keepLines((_, index) => index < 2),
    ],
    ["is of another installation", /is of another installation/, () => writeFileSync(bench.journal.path, foreignJournal())],
  ];

  it.each(damages)("halts its chain when it %s: nothing more is signed or sent, and a sentence says why", async (_, sentence, damage) => {
    await setUp();
    const paid = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      bench.newWorker(),
      paid.map(({ id }) => id),
    );
    await passes(bench.newWorker(), 1);
    await bench.letLeasesLapse();
    damage();
    const owed = await bench.enqueuePayment();
    await passes(bench.newWorker(), 6);
    expect(await received(owed)).toBe(0);
    expect(await haltsOf(bench)).toMatchObject([
      { scope: { kind: "chain", key: chain.chain }, cause: "journal_unusable", detail: expect.stringMatching(sentence) },
    ]);
    expect(await findTransfer(bench.db, owed.id)).toMatchObject({ state: "queued", waitingReason: expect.stringMatching(sentence) });
    expect(await attemptsIn(bench)).toBe(2);
  });

  it("is of this installation, and the database is from before it had one", async () => {
    bench = await openTransferBench(chain);
    const restored = await keepBackup();
    await passes(bench.newWorker(), 1);
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id]);
    await passes(workerOn(restored), 3);
    expect(await haltsOf(restored)).toMatchObject([
      { cause: "journal_unusable", detail: expect.stringContaining("of another installation") },
    ]);
  });
});

describe("a disk that is full", () => {
  it("lets nothing out and says so; there is no halt, and all is paid once there is room", async () => {
    await setUp();
    let isFull = true;
    const disk: Disk = {
      ...bench.journal.disk,
      append: async (bytes) => {
        if (!isFull) return await bench.journal.disk.append(bytes);
        appendFileSync(bench.journal.path, bytes.subarray(0, 20));
        throw new JournalUnwritable("The signing journal takes nothing (ENOSPC): nothing is sent.");
      },
    };
    const worker = bench.newWorker({ journal: bench.journal.open(disk) });
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await passes(worker, 3);
    expect(await Promise.all(owed.map(received))).toEqual([0, 0]);
    expect(await causesOf(bench)).toEqual([]);
    for (const { id } of owed)
      expect(await findTransfer(bench.db, id)).toMatchObject({ state: "signed", waitingReason: expect.stringContaining("ENOSPC") });
    isFull = false;
    await bench.run(
      worker,
      owed.map(({ id }) => id),
    );
    expect(await Promise.all(owed.map(received))).toEqual([1, 1]);
  });
});

describe("a wallet that passes to another worker", () => {
  it.each<TransferStep>(["stored", "journaled", "sent"])(
    "is gone on with after a death at %s: each attempt is in the journal once",
    async (step) => {
      await setUp();
      const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
      const doomed = bench.newWorker({
        observe: (reached) => {
          if (reached === step) throw new Died(step);
        },
      });
      await expect(passes(doomed, 3)).rejects.toThrow(Died);
      await bench.letLeasesLapse();
      await bench.run(
        bench.newWorker(),
        owed.map(({ id }) => id),
      );
      expect(await Promise.all(owed.map(received))).toEqual([1, 1, 1]);
      const nonces = entries().map((line) => (JSON.parse(line.slice(17)) as { nonce: number }).nonce);
      expect(nonces).toEqual([0, 1, 2]);
      expect(await causesOf(bench)).toEqual([]);
    },
  );

  it("is gone on with after a death before the journal was durable: it is made so before anything is sent", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const dies = { ...bench.journal.disk, sync: () => Promise.reject(new Error("died")) };
    await passes(bench.newWorker({ journal: bench.journal.open(dies) }), 1);
    expect([entries().length, await received(owed)]).toEqual([1, 0]);
    await bench.sql`update lane_halts set lifted_at = now(), lifted_by = 'ana', lift_reason = 'the disk is well'`;
    await bench.letLeasesLapse();
    let syncs = 0;
    const sync = async () => {
      expect(await received(owed)).toBe(0);
      syncs += 1;
      await bench.journal.disk.sync();
    };
    await bench.run(bench.newWorker({ journal: bench.journal.open({ ...bench.journal.disk, sync }) }), [owed.id]);
    expect([syncs, await received(owed), entries().length]).toEqual([1, 1, 1]);
  });
});

it("an installation that has paid before it had a journal begins one with all of that", async () => {
  await setUp();
  const paid = await bench.enqueuePayment();
  await bench.run(bench.newWorker(), [paid.id]);
  await bench.letLeasesLapse();
  const before = entries();
  rmSync(bench.journal.path);
  await bench.sql`delete from signing_journal`;
  const later = await bench.enqueuePayment();
  await bench.run(bench.newWorker(), [later.id]);
  expect(await Promise.all([paid, later].map(received))).toEqual([1, 1]);
  const hashes = (lines: string[]) => lines.map((line) => (JSON.parse(line.slice(17)) as { hash: string }).hash);
  expect(hashes(entries())).toEqual([...hashes(before), (await bench.transfer(later.id)).txHash]);
});

function replaceInJournal(text: string, by: string): void {
  writeFileSync(bench.journal.path, readFileSync(bench.journal.path, "utf8").replace(text, by));
}

function keepLines(isKept: (line: string, index: number) => boolean): void {
  const lines = readFileSync(bench.journal.path, "utf8").trimEnd().split("\n");
  writeFileSync(bench.journal.path, `${lines.filter(isKept).join("\n")}\n`);
}

const foreignJournal = () => firstBytes("another", [], "a test");
