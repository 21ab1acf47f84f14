import { randomUUID } from "node:crypto";
import { readFileSync, renameSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JournalEntry } from "#domain/journal.ts";
import { firstBytes } from "#server/adapters/journal/open-journal.ts";
import { readAsFarAsPossible } from "#server/adapters/journal/read-lines.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addProvenPerson } from "#testing/people.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { adoptJournal, drawUpJournal, type RebuildJournal } from "./rebuild-journal.ts";

let chain: TestChain;
let bench: TransferBench;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const kept = (): JournalEntry[] => readAsFarAsPossible(readFileSync(bench.journal.path)).entries;

async function order(more: Partial<RebuildJournal> = {}): Promise<RebuildJournal> {
  const [one, other] = [await addProvenPerson(bench.db, "admin"), await addProvenPerson(bench.db, "admin")];
  return { by: one.by, confirmedBy: other.by, reason: "the disk is gone", kept: [], unpaid: [], ...more };
}

async function rebuild(command: RebuildJournal): Promise<void> {
  const drawn = await drawUpJournal(bench.ctx, command);
  const installation = randomUUID();
  renameSync(bench.journal.path, `${bench.journal.path}.old`);
  await bench.journal.disk.create(firstBytes(installation, drawn.entries, "a test"));
  await adoptJournal(bench.ctx, command, { ...drawn, installation });
}

async function pay(): Promise<string> {
  const { id } = await bench.enqueuePayment();
  const [paid] = await bench.run(bench.newWorker(), [id]);
  await bench.letLeasesLapse();
  return paid?.state ?? "";
}

const lift = () =>
  bench.sql`update lane_halts set lifted_at = now(), lifted_by = 'ana', lift_confirmed_by = 'ben', lift_reason = 'rebuilt'`;

describe("a signing journal that two people begin again", () => {
  it("has what the database knows, and payments go on", async () => {
    bench = await openTransferBench(chain);
    expect([await pay(), await pay()]).toEqual(["executed", "executed"]);
    const before = kept();
    await rebuild(await order());
    expect(kept().map((entry) => ({ ...entry, at: null }))).toEqual(before.map((entry) => ({ ...entry, at: null })));
    expect(await pay()).toBe("executed");
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    expect(await bench.sql`select action, change->>'entries' as entries from audit_entries where action = 'journal.rebuilt'`).toEqual([
      { action: "journal.rebuilt", entries: "2" },
    ]);
  });

  it("needs two admins, stopped workers, and a database that knows what the chain counts", async () => {
    bench = await openTransferBench(chain);
    await pay();
    const command = await order();
    await expect(drawUpJournal(bench.ctx, { ...command, confirmedBy: command.by })).rejects.toMatchObject({ code: "same_approver" });
    const viewer = await addProvenPerson(bench.db, "viewer");
    await expect(drawUpJournal(bench.ctx, { ...command, confirmedBy: viewer.by })).rejects.toMatchObject({ code: "forbidden" });
    await bench.sql`insert into processes (id, kind, started_at, beat_at, metrics) values ('w', 'worker', now(), now(), '[]')`;
    await expect(drawUpJournal(bench.ctx, command)).rejects.toMatchObject({ message: expect.stringContaining("1 workers run") });
    await bench.sql`delete from processes`;
    await bench.sql`update wallets set next_nonce = 0`;
    await expect(drawUpJournal(bench.ctx, command)).rejects.toMatchObject({
      message: expect.stringMatching(/has made 1 transactions, and the database knows 0/),
    });
  });

  it("keeps owners of whom only the former journal knows: they are not paid again", async () => {
    bench = await openTransferBench(chain);
    await pay();
    const [entry] = kept();
    const own = await bench.enqueuePayment();
    if (entry === undefined || entry.kind === "spent") throw new Error("nothing is kept");
    // The database has lost the row of that payment, and learns once more that it is owed.
    const former = { ...entry, owner: `settlement:${own.ownerId}`, hash: `0x${"ab".repeat(32)}`, nonce: 0, wallet: `0x${"11".repeat(20)}` };
    await bench.sql`insert into wallets (id, chain, address, next_nonce, fencing_token, created_at, state) values (gen_random_uuid(), ${chain.chain}, ${former.wallet}, 1, 0, now(), 'retired')`;
    await rebuild(await order({ kept: [former] }));
    await bench.run(bench.newWorker(), [own.id], 4);
    expect(await bench.tokenBalance(own.recipient)).toBe(0n);
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "journal_contradiction" }]);
  });

  it("refuses while something is in no block, unless both say that it never will be; then its nonce is filled", async () => {
    bench = await openTransferBench(chain);
    await pay();
    const [entry] = kept();
    const own = await bench.enqueuePayment();
    if (entry === undefined) throw new Error("nothing is kept");
    const owner = `settlement:${own.ownerId}`;
    const former = { ...entry, owner, hash: `0x${"ab".repeat(32)}`, nonce: 1 };
    const command = await order({ kept: [former] });
    await expect(drawUpJournal(bench.ctx, command)).rejects.toMatchObject({ message: expect.stringContaining(`in no block: ${owner}`) });
    await rebuild({ ...command, unpaid: [owner] });
    expect(await bench.sql`select next_nonce::int as next from wallets`).toEqual([{ next: 2 }]);
    await bench.run(bench.newWorker(), [own.id], 12);
    await lift();
    expect(await bench.tokenBalance(own.recipient)).toBe(own.amountBase);
    expect(await bench.sql`select purpose, state from transfers where purpose = 'filler'`).toEqual([
      { purpose: "filler", state: "executed" },
    ]);
  });
});
