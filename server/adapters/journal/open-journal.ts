import { randomBytes } from "node:crypto";
import { isOfLapsing, type Journal, type JournalEntry, type JournalFault, JournalUnusable } from "#domain/journal.ts";
import type { Disk } from "./disk.ts";
import { type Header, type JournalRecord, type Writer, writeLine } from "./lines.ts";
import { Damaged, isHeld, ReadLines } from "./read-lines.ts";

/** So long a line may be half there because another process is writing it right now. */
const WRITING_MS = 200;

type Answers = (JournalFault | null)[];
type Waiting = { entries: readonly JournalEntry[]; done: (answers: Answers) => void; failed: (error: unknown) => void };

/**
 * The signing journal over a file. Each process appends whole batches in one write, reads what the file says up to there, and makes that
 * durable. The first entry in the file's order counts, whichever process wrote it, so that no lock is needed.
 */
export function openJournal(disk: Disk, writingMs = WRITING_MS): Journal {
  const journal = new FileJournal(disk, writingMs);
  return {
    begin: async (installation, entries) => void (await disk.create(firstBytes(installation, entries, "a first start"))),
    read: (installation) => journal.inTurn(() => journal.read(installation)),
    record: (entries) => journal.record(entries),
  };
}

class FileJournal {
  readonly #disk: Disk;
  readonly #writingMs: number;
  #known: ReadLines | null = null;
  #own = newWriter();
  #queue: Waiting[] = [];
  #work: Promise<unknown> = Promise.resolve();
  /** The size at which a half line was waited for. */
  #waitedAt = -1;
  /** What was wrong with it: only a new process trusts it again. */
  #broken: JournalUnusable | null = null;

  constructor(disk: Disk, writingMs: number) {
    this.#disk = disk;
    this.#writingMs = writingMs;
  }

  /** One thing at a time. */
  inTurn<Result>(what: () => Promise<Result>): Promise<Result> {
    const result = this.#work.then(what, what);
    this.#work = result.catch(() => {});
    return result;
  }

  async read(installation: string) {
    const known = await this.#readWhole();
    if (known.installation === installation) return known;
    throw this.#unusable(`is of another installation (${known.installation}, not ${installation})`);
  }

  /** Whatever waits meanwhile goes into one write. */
  record(entries: readonly JournalEntry[]): Promise<Answers> {
    return new Promise((done, failed) => {
      this.#queue.push({ entries, done, failed });
      void this.inTurn(() => this.#recordWaiting());
    });
  }

  async #recordWaiting(): Promise<void> {
    const waiting = this.#queue;
    this.#queue = [];
    if (waiting.length === 0) return;
    try {
      const answers = await this.#append(waiting.flatMap(({ entries }) => entries));
      let from = 0;
      for (const { entries, done } of waiting) {
        done(answers.slice(from, from + entries.length));
        from += entries.length;
      }
    } catch (error) {
      for (const { failed } of waiting) failed(error);
    }
  }

  /** Appends in one write what is new, and answers by what the file says then. */
  async #append(entries: readonly JournalEntry[]): Promise<Answers> {
    const known = await this.#readWhole();
    const judged = entries.map((entry) => known.state.judge(entry));
    const isNew = (entry: JournalEntry, index: number) => judged[index] === null && !isHeld(known.state, entry);
    const fresh = [...new Map(entries.filter(isNew).map((entry) => [keyOf(entry), entry])).values()];
    if (fresh.length === 0) {
      await this.#sync(known);
      return judged;
    }
    await this.#write(known, fresh);
    const answers = await this.#readOn(known);
    if (answers.length !== fresh.length) throw this.#distrust("does not have what was just written");
    await this.#sync(known);
    const byKey = new Map(fresh.map((entry, index) => [keyOf(entry), answers[index] ?? null]));
    return entries.map((entry, index) => judged[index] ?? byKey.get(keyOf(entry)) ?? null);
  }

  async #write(known: ReadLines, entries: readonly JournalEntry[]): Promise<void> {
    const torn = known.tail + known.unexplained;
    const records: JournalRecord[] = torn === 0 ? [...entries] : [{ kind: "torn", bytes: torn }, ...entries];
    const lines = linesOf(known.writer(this.#own.id) ?? this.#own, records);
    try {
      await this.#disk.append(Buffer.from(`${known.tail > 0 ? "\n" : ""}${lines}`));
    } catch (error) {
      // A part of it may be there. Nobody trusts it, and this process goes on as another writer.
      this.#own = newWriter();
      throw error;
    }
  }

  async #readWhole(): Promise<ReadLines> {
    let known = await this.#open();
    await this.#readOn(known);
    const half = () => (known.tail + known.unexplained === 0 ? this.#waitedAt : known.size + known.tail);
    if (half() !== this.#waitedAt) {
      await new Promise((resolve) => setTimeout(resolve, this.#writingMs));
      known = await this.#open();
      await this.#readOn(known);
      this.#waitedAt = half();
    }
    if (known.installation === "") throw this.#unusable("is empty or cut off");
    return known;
  }

  async #open(): Promise<ReadLines> {
    if (this.#broken !== null) throw this.#broken;
    const file = await this.#disk.look();
    if (file === null) throw this.#unusable("is missing");
    this.#known ??= new ReadLines(file.id);
    if (this.#known.id !== file.id || this.#known.size + this.#known.tail > file.size)
      throw this.#distrust("was replaced or cut off while the worker ran");
    return this.#known;
  }

  async #readOn(known: ReadLines): Promise<Answers> {
    const file = await this.#disk.look();
    if (file === null || file.size === known.size + known.tail) return [];
    try {
      return known.add(await this.#disk.readFrom(known.size), this.#own.id);
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      throw this.#distrust(`is damaged after its record ${known.records}: what follows is not what was written`);
    }
  }

  /** What was read so far is durable from now on, no matter which process wrote it. */
  async #sync(known: ReadLines): Promise<void> {
    const { records } = known;
    if (known.durable === records) return;
    try {
      await this.#disk.sync();
    } catch (error) {
      // What a disk has failed to keep once, it may not keep the next time either, without saying so.
      throw this.#distrust(`could not be made durable (${error instanceof Error ? error.message : String(error)}): check the disk`);
    }
    known.durable = records;
  }

  #unusable(why: string): JournalUnusable {
    return new JournalUnusable(`The signing journal ${this.#disk.name} ${why}.`);
  }

  #distrust(why: string): JournalUnusable {
    this.#broken = this.#unusable(why);
    return this.#broken;
  }
}

/** A whole new journal. `note`: from what it was begun. */
export function firstBytes(installation: string, entries: readonly JournalEntry[], note: string): Buffer {
  const header: Header = { kind: "journal", version: 1, installation, at: new Date(), note };
  return Buffer.from(linesOf(newWriter(), [header, ...entries]));
}

function linesOf(writer: Writer, records: readonly JournalRecord[]): string {
  let next = writer;
  const lines = records.map((record) => {
    const written = writeLine(next, record);
    next = written.writer;
    return written.line;
  });
  return lines.join("");
}

const newWriter = (): Writer => ({ id: randomBytes(6).toString("hex"), count: 0, check: "" });
function keyOf(entry: JournalEntry): string {
  if (isOfLapsing(entry)) return `${entry.kind} ${entry.chain} ${entry.id}`;
  return entry.kind === "spent" ? `spent ${entry.owner} ${entry.nonce}` : entry.hash;
}
