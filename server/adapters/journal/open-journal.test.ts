import { randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JournalUnusable, JournalUnwritable, type SignedEntry } from "#domain/journal.ts";
import type { LapsedEntry, LapsingEntry } from "#domain/lapsing-journal.ts";
import { type Disk, openDisk } from "./disk.ts";
import { openHeartbeat } from "./heartbeat.ts";
import { openJournal } from "./open-journal.ts";

let folder: string;
let path: string;
let disk: Disk;
const ID = "installation-1";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "journal-"));
  path = join(folder, "journal", "signing.log");
  disk = openDisk(path);
});
afterEach(() => rmSync(folder, { recursive: true }));

const WALLET = "0x00000000000000000000000000000000000000A1";
const payment = (nonce: number, owner: string, more: Partial<SignedEntry> = {}): SignedEntry => ({
  kind: "payment",
  chain: "eip155:1",
  wallet: WALLET,
  nonce,
  owner,
  hash: `0x${randomBytes(32).toString("hex")}`,
  recipient: "0x00000000000000000000000000000000000000b2",
  token: null,
  amountBase: 5n,
  at: new Date("2026-01-01T10:00:00Z"),
  ...more,
});

describe("the heartbeat next to the journal", () => {
  const beat = () => openHeartbeat(path, 0).beat();
  const last = () => openHeartbeat(path).last;

  it("says when a signer last had this very journal, and nothing of a smaller one", async () => {
    expect(last()).toBeUndefined();
    const journal = await begun();
    expect(last()).toBeNull();
    const before = readFileSync(path);
    await journal.record([payment(0, "settlement:st_1")]);
    beat();
    expect(Date.now() - (last()?.getTime() ?? 0)).toBeLessThan(60_000);
    await journal.record([payment(1, "settlement:st_2")]);
    expect(last()).toBeInstanceOf(Date);
    writeFileSync(path, before);
    expect(last()).toBeNull();
    rmSync(path);
    expect(last()).toBeUndefined();
    rmSync(join(folder, "journal"), { recursive: true });
    expect(beat).not.toThrow();
  });
});

const open = (on: Disk = openDisk(path)) => openJournal(on, 1);
async function begun(on?: Disk) {
  const journal = open(on);
  await journal.begin(ID, []);
  await journal.read(ID);
  return journal;
}
/** What another process finds. */
const found = async () => (await open().read(ID)).state;
const faultOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const unusable = async (journal = open()) => {
  const error: unknown = await journal.read(ID).then(
    () => null,
    (problem: unknown) => problem,
  );
  expect(error).toBeInstanceOf(JournalUnusable);
  return faultOf(error);
};

describe("a signing journal", () => {
  it("is there for each of several that begin it in the same millisecond, whatever their process ids", async () => {
    const now = vi.spyOn(Date, "now").mockReturnValue(1_800_000_000_000);
    const openings = Array.from({ length: 8 }, () => open());
    const begun = openings.map(async (journal) => {
      await journal.begin(ID, []);
      return (await journal.read(ID)).records;
    });
    expect(await Promise.all(begun)).toEqual(openings.map(() => 1));
    now.mockRestore();
  });

  it("knows what a signer has released: not what it was begun with, what is spent, or a cancellation alone", async () => {
    const [copied, released, spent, cancelled] = [0, 1, 2, 3].map((nonce) => payment(nonce, `treasury_withdrawal:tw_${nonce}`));
    if (!copied || !released || !spent || !cancelled) throw new Error("four were made");
    const journal = open();
    await journal.begin(ID, [copied]);
    const { hash, ...rest } = spent;
    const empty = { ...cancelled, kind: "cancellation" as const, recipient: WALLET, amountBase: 0n };
    await journal.read(ID);
    await journal.record([released, spent, empty]);
    await journal.record([{ ...rest, kind: "spent", hashes: [hash], reason: "it reverted" }]);
    const state = await found();
    expect([copied, released, spent, cancelled].map((one) => state.hasReleased(one))).toEqual([false, true, false, false]);
    const others = [{ amountBase: 6n }, { recipient: WALLET }, { token: "0xT" }, { owner: copied.owner }, { nonce: 4 }, { wallet: "0xW" }];
    expect(others.filter((other) => state.hasReleased({ ...released, ...other }))).toEqual([]);
    // Signed again, by a signer that had asked for all signatures.
    await journal.record([{ ...copied, hash: payment(0, "").hash }]);
    expect((await found()).hasReleased(copied)).toBe(true);
  });

  it("keeps what was recorded, for another process, and only for its owner to read", async () => {
    const journal = await begun();
    const [one, two] = [payment(4, "settlement:st_1"), payment(5, "settlement:st_2", { token: "0xT" })];
    expect(await journal.record([one, two])).toEqual([null, null]);
    const state = await found();
    expect([state.holds(one), state.holds(two), state.holds({ ...one, hash: two.hash })]).toEqual([true, true, false]);
    expect(state.marks("eip155:1")).toEqual([{ wallet: WALLET.toLowerCase(), mark: 5 }]);
    expect(state.amounts(new Date("2026-01-01T10:30:00Z"))).toMatchObject([
      { token: null, amountBase: 5n },
      { token: "0xT", amountBase: 5n },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("writes nothing for what it holds already, nor for what it refuses", async () => {
    const journal = await begun();
    const one = payment(0, "settlement:st_1");
    await journal.record([one, one]);
    const { size } = statSync(path);
    expect(await journal.record([one, payment(1, "settlement:st_1")])).toMatchObject([null, { code: "owner_paid" }]);
    expect(statSync(path).size).toBe(size);
  });

  it("keeps the members of a packed transaction, whole or not at all, and pays one of them again only where it was not paid", async () => {
    const journal = await begun();
    const members = ["a", "b", "c"].map((name) => ({ owner: `settlement:st_${name}`, recipient: `0x${name.repeat(40)}`, amountBase: 5n }));
    const packed = payment(4, "pack:pk_1", { kind: "packed", token: "0xT", amountBase: 15n, members });
    await journal.record([packed]);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 20));
    expect((await found()).holds(packed)).toBe(false);
    writeFileSync(path, bytes);
    const state = await found();
    expect([state.holds(packed), state.paidUnder("settlement:st_b")?.nonce]).toEqual([true, 4]);
    expect(state.amounts(new Date("2026-01-01T10:30:00Z"))).toMatchObject([{ token: "0xT", amountBase: 15n }]);
    const again = payment(5, "settlement:st_b");
    const { kind: _, members: __, ...place } = packed;
    const spent = { ...place, kind: "spent", ...members[1], hashes: [packed.hash], reason: "The token refused it." } as const;
    const after = open();
    await after.read(ID);
    expect(await after.record([again])).toMatchObject([{ code: "owner_paid", place: { nonce: 4 } }]);
    for (const wrong of [{ hashes: [] }, { amountBase: 4n }, { owner: "settlement:st_d" }])
      expect(await after.record([{ ...spent, ...wrong }])).not.toEqual([null]);
    const another = { ...packed, hash: payment(0, "").hash };
    expect(await after.record([spent])).toEqual([null]);
    expect(await after.record([again, another])).toMatchObject([null, { code: "nonce_spent" }]);
    expect(await after.record([payment(6, "settlement:st_c"), payment(7, "settlement:st_b")])).toMatchObject([
      { code: "owner_paid", place: { nonce: 4 } },
      { code: "owner_paid", place: { nonce: 5 } },
    ]);
    expect((await found()).paidUnder("settlement:st_b")?.nonce).toBe(5);
  });

  it("keeps payments that lapse, by height and by time, and lets an owner have another one only after the first has ended", async () => {
    const journal = await begun();
    const solana = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
    const attempt = (id: string, more: Partial<LapsingEntry> = {}): LapsingEntry => ({
      kind: "lapsing",
      chain: solana,
      wallet: "Wallet",
      owner: "settlement:st_1",
      id,
      recipient: "Recipient",
      token: "Mint",
      amountBase: 5n,
      after: 7,
      expiry: { by: "height", last: 158 },
      feeAtMost: { token: null, amountBase: 9n },
      bytes: "AQ==",
      at: new Date("2026-01-01T10:00:00Z"),
      ...more,
    });
    const timed = attempt("one", { owner: "settlement:st_2", expiry: { by: "time", last: new Date("2026-01-01T10:01:00.500Z") } });
    const first = attempt("First");
    expect(await journal.record([timed, first, first])).toEqual([null, null, null]);
    const kept = (await found()).lapsing;
    expect([kept.attemptFor(timed.owner), kept.attemptFor(first.owner), kept.newest(solana)]).toEqual([timed, first, "First"]);
    expect([kept.holds(first), kept.holds({ ...first, id: "first" })]).toEqual([true, false]);
    const sum = async () => (await found()).amounts(new Date("2026-01-01T10:30:00Z")).map(({ amountBase }) => amountBase);
    expect(await sum()).toEqual([10n]);
    expect(await journal.record([attempt("Second"), { ...first, owner: "settlement:st_3" }])).toMatchObject([
      { code: "owner_paid" },
      { code: "other_content" },
    ]);
    const ended: LapsedEntry = { kind: "lapsed", chain: solana, owner: first.owner, id: "First", reason: "It lapsed.", at: first.at };
    expect(
      await journal.record([
        { ...ended, id: "none" },
        { ...ended, owner: timed.owner },
      ]),
    ).toMatchObject([{ code: "nothing_to_replace" }, { code: "nothing_to_replace" }]);
    const { size } = statSync(path);
    expect(await journal.record([ended])).toEqual([null]);
    expect(await sum()).toEqual([5n]);
    expect(await journal.record([ended, first, attempt("Second")])).toMatchObject([null, { code: "attempt_ended" }, null]);
    expect(statSync(path).size).toBeGreaterThan(size);
    expect((await found()).lapsing.attemptFor(first.owner)?.id).toBe("Second");
  });

  it.each<[string, string[], bigint]>([
    ["no members", [], 0n],
    ["one member twice", ["a", "a"], 10n],
    ["another sum", ["a", "b"], 11n],
  ])("takes no packed transaction with %s", async (_, members, amountBase) => {
    const journal = await begun();
    const listed = members.map((name) => ({ owner: `settlement:st_${name}`, recipient: `0x${name}`, amountBase: 5n }));
    const packed = payment(0, "pack:pk_1", { kind: "packed", amountBase, members: listed });
    expect(await journal.record([packed, payment(0, "settlement:st_a", { members: listed })])).toMatchObject([
      { code: "not_packed" },
      { code: "not_packed" },
    ]);
    expect((await found()).marks("eip155:1")).toEqual([]);
  });

  it("makes a batch durable once, no matter who asks in between", async () => {
    const sync = vi.fn(disk.sync);
    const journal = await begun({ ...disk, sync });
    await journal.record([payment(0, "settlement:st_0")]);
    sync.mockClear();
    const batches = [1, 2, 3, 4].map((nonce) => journal.record([payment(nonce, `settlement:st_${nonce}`)]));
    expect(await Promise.all(batches)).toEqual([[null], [null], [null], [null]]);
    expect(sync.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it("lets the first of two processes win, and refuses the other", async () => {
    const [one, other] = [await begun(), await begun()];
    const rivals = [payment(3, "settlement:st_1"), payment(7, "settlement:st_1")] as const;
    // Both have read the same when both append.
    const answers = await Promise.all([one.record([rivals[0]]), other.record([rivals[1]])]);
    expect(answers.flat().filter((answer) => answer === null)).toHaveLength(1);
    expect(answers.flat().find((answer) => answer !== null)).toMatchObject({ code: "owner_paid" });
    const state = await found();
    expect(rivals.filter((rival) => state.holds(rival))).toHaveLength(1);
  });

  it("makes durable what a process that died has appended, before it counts as held", async () => {
    const dead = await begun({ ...disk, sync: () => Promise.reject(new Error("died")) });
    const one = payment(0, "settlement:st_1");
    await expect(dead.record([one])).rejects.toThrow("could not be made durable");
    await expect(dead.record([one])).rejects.toThrow("could not be made durable");
    const sync = vi.fn(disk.sync);
    const next = open({ ...disk, sync });
    await next.read(ID);
    expect(await next.record([one])).toEqual([null]);
    expect(sync).toHaveBeenCalledTimes(1);
  });
});

describe("a file that is not as it should be", () => {
  it("is missing", async () => {
    expect(await unusable()).toMatch(/is missing/);
    const journal = await begun();
    rmSync(path);
    expect(await unusable(journal)).toMatch(/is missing/);
  });

  it("is empty, or is no journal", async () => {
    await begun();
    writeFileSync(path, "");
    expect(await unusable()).toMatch(/empty or cut off/);
    writeFileSync(path, "hello\nworld\n");
    expect(await unusable()).toMatch(/empty or cut off/);
  });

  it("belongs to another installation", async () => {
    await open().begin("another", []);
    expect(await unusable()).toMatch(/of another installation \(another, not installation-1\)/);
  });

  it("is read on after a line that a crash cut off, and counts nothing of that line", async () => {
    const journal = await begun();
    await journal.record([payment(0, "settlement:st_1")]);
    const whole = readFileSync(path);
    await journal.record([payment(1, "settlement:st_2")]);
    const later = readFileSync(path).subarray(whole.length);
    writeFileSync(path, Buffer.concat([whole, later.subarray(0, later.length / 2)]));
    const next = open();
    expect((await next.read(ID)).state.marks("eip155:1")).toMatchObject([{ mark: 0 }]);
    expect(await next.record([payment(1, "settlement:st_3")])).toEqual([null]);
    expect(await next.record([payment(2, "settlement:st_2")])).toEqual([null]);
    expect((await found()).marks("eip155:1")).toMatchObject([{ mark: 2 }]);
  });

  it("has lost or changed a line in its middle", async () => {
    const journal = await begun();
    for (const nonce of [0, 1, 2]) await journal.record([payment(nonce, `settlement:st_${nonce}`)]);
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, lines.toSpliced(2, 1).join("\n"));
    expect(await unusable()).toMatch(/damaged/);
    for (const index of [0, 1, 2]) {
      writeFileSync(path, lines.join("\n").replace(`settlement:st_${index}`, "settlement:st_9"));
      expect(await unusable()).toMatch(/damaged/);
    }
    writeFileSync(path, lines.toSpliced(2, 1, lines[2]?.slice(0, -9) ?? "").join("\n"));
    expect(await unusable()).toMatch(/damaged/);
    writeFileSync(path, lines.join("\n"));
    expect((await found()).marks("eip155:1")).toMatchObject([{ mark: 2 }]);
  });

  it("was replaced or cut off while a worker runs", async () => {
    const journal = await begun();
    await journal.record([payment(0, "settlement:st_0")]);
    const before = readFileSync(path);
    await journal.record([payment(1, "settlement:st_1")]);
    writeFileSync(path, before);
    expect(await unusable(journal)).toMatch(/replaced or cut off/);
    const other = open();
    await other.read(ID);
    renameSync(path, `${path}.old`);
    writeFileSync(path, readFileSync(`${path}.old`));
    expect(await unusable(other)).toMatch(/replaced or cut off/);
  });
});

describe("a disk that is full", () => {
  it("takes nothing, says so, and all is well once there is room, also after a part was written", async () => {
    let isFull = true;
    const append = async (bytes: Buffer) => {
      if (!isFull) return await disk.append(bytes);
      appendFileSync(path, bytes.subarray(0, bytes.length - 10));
      throw new JournalUnwritable("ENOSPC");
    };
    const journal = await begun({ ...disk, append });
    const [one, two] = [payment(0, "settlement:st_0"), payment(1, "settlement:st_1")];
    await expect(journal.record([one, two])).rejects.toBeInstanceOf(JournalUnwritable);
    expect((await found()).holds(two)).toBe(false);
    await expect(open({ ...disk, append }).record([two])).rejects.toBeInstanceOf(JournalUnwritable);
    await expect(journal.record([one, two])).rejects.toBeInstanceOf(JournalUnwritable);
    isFull = false;
    expect(await journal.record([one, two])).toEqual([null, null]);
    const state = await found();
    expect([state.holds(one), state.holds(two)]).toEqual([true, true]);
  });
});
