import { isOfLapsing, type JournalEntry, type JournalFault, JournalState } from "#domain/journal.ts";
import { type JournalRecord, readLine, type Writer } from "./lines.ts";

const NEWLINE = 10;

/** A line is not what was written. */
export class Damaged extends Error {
  override readonly name = "Damaged";
}

/** What was read of a journal's file so far, and what it says. */
export class ReadLines {
  readonly state = new JournalState();
  /** The file: another id is another file. */
  readonly id: string;
  /** So many bytes were whole lines. */
  size = 0;
  /** The length of what follows, a line without its end. */
  tail = 0;
  /** The length of lines that were cut off, for which the next record must account. */
  unexplained = 0;
  records = 0;
  /** So many records survive a crash of the machine. */
  durable = 0;
  installation = "";
  readonly #writers = new Map<string, Writer>();
  /** Who began it, and wrote into it what the database said then. */
  #beginner = "";

  readonly #onEntry: (entry: JournalEntry) => void;

  constructor(id: string, onEntry: (entry: JournalEntry) => void = () => {}) {
    this.id = id;
    this.#onEntry = onEntry;
  }

  writer(id: string): Writer | undefined {
    return this.#writers.get(id);
  }

  /**
   * Adds what follows in the file.
   *
   * @returns of each entry by `writer`, in their order: null, or why it counts for nothing
   * @throws Damaged
   */
  add(bytes: Buffer, writer: string): (JournalFault | null)[] {
    const answers: (JournalFault | null)[] = [];
    for (let start = 0; ; ) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) {
        this.tail = bytes.length - start;
        return answers;
      }
      const added = this.#addLine(bytes.toString("utf8", start, end));
      if (added?.by === writer) answers.push(added.fault);
      this.size += end - start + 1;
      start = end + 1;
    }
  }

  #addLine(line: string): { by: string; fault: JournalFault | null } | null {
    if (line === "") return null;
    const read = readLine(line, (id) => this.#writers.get(id));
    if (read === "fragment") {
      this.unexplained += Buffer.byteLength(line);
      return null;
    }
    if (read === null || (this.unexplained > 0 && read.record.kind !== "torn")) throw new Damaged();
    this.unexplained = 0;
    this.#writers.set(read.writer.id, read.writer);
    this.records += 1;
    return this.#addRecord(read.record, read.writer.id);
  }

  #addRecord(record: JournalRecord, by: string): { by: string; fault: JournalFault | null } | null {
    if (record.kind === "torn") return null;
    if ((record.kind === "journal") !== (this.records === 1)) throw new Damaged();
    if (record.kind !== "journal") {
      this.#onEntry(record);
      return { by, fault: this.state.apply(record, by !== this.#beginner) };
    }
    this.installation = record.installation;
    this.#beginner = by;
    return null;
  }
}

/** An entry that is held already needs no line. */
export function isHeld(state: JournalState, entry: JournalEntry): boolean {
  if (isOfLapsing(entry)) return state.lapsing.holdsEntry(entry);
  return entry.kind !== "spent" && state.holds(entry);
}

/** What a journal's file says as far as it can be trusted: for people who begin another one. `damage`: why no further; null: all of it. */
export function readAsFarAsPossible(bytes: Buffer): { lines: ReadLines; entries: JournalEntry[]; damage: string | null } {
  const entries: JournalEntry[] = [];
  const lines = new ReadLines("read once", (entry) => void entries.push(entry));
  try {
    lines.add(bytes, "");
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
  }
  const isCut = lines.size < bytes.length || lines.unexplained > 0;
  return { lines, entries, damage: isCut ? `It is damaged or cut off after its record ${lines.records}.` : null };
}
