import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Journal } from "#domain/journal.ts";
import { type Disk, openDisk } from "#server/adapters/journal/disk.ts";
import { openJournal } from "#server/adapters/journal/open-journal.ts";
import type { TestDatabase } from "./database.ts";

/** A line is written at once here. */
const WRITING_MS = 1;

export type TestJournal = {
  path: string;
  disk: Disk;
  open(disk?: Disk): Journal;
  /**
   * Another journal for a database that was put back, as if nobody had kept the former one: it knows no more than that database. For what
   * has to hold without a journal, too.
   */
  lost(database: Pick<TestDatabase, "sql">): Promise<Journal>;
  remove(): void;
};

/** A signing journal's file in a folder of its own. Each `open` is another process. */
export function makeTestJournal(): TestJournal {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  const path = join(folder, "signing.log");
  const disk = openDisk(path);
  const open = (on: Disk) => openJournal(on, WRITING_MS);
  return {
    path,
    disk,
    open: (on = disk) => open(on),
    async lost({ sql }) {
      await sql`delete from signing_journal`;
      return open(openDisk(join(folder, "another.log")));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
