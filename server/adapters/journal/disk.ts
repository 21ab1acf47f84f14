import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { JournalUnusable, JournalUnwritable } from "#domain/journal.ts";

/** What the journal needs of a file. Appending is one write at the file's end, no matter which other process appends. */
export type Disk = {
  /** For sentences. */
  name: string;
  /** Null: it is not there. `id`: another one is another file. */
  look(): Promise<{ id: string; size: number } | null>;
  /** What is in it from a byte on. */
  readFrom(byte: number): Promise<Buffer>;
  /** @throws JournalUnwritable, also after a part was written */
  append(bytes: Buffer): Promise<void>;
  /** What was appended survives a crash of the machine, no matter which process appended it. */
  sync(): Promise<void>;
  /** Creates the file whole and durable, or not at all. False: it is there already. */
  create(bytes: Buffer): Promise<boolean>;
};

const PRIVATE = 0o600;

/** A file of the machine. Its folder is made where it is missing. */
export function openDisk(path: string): Disk {
  return {
    name: path,
    async look() {
      try {
        const { ino, size } = await stat(path);
        return { id: String(ino), size };
      } catch (error) {
        if (codeOf(error) === "ENOENT") return null;
        throw new JournalUnusable(`The signing journal ${path} cannot be read (${codeOf(error)}).`);
      }
    },
    async readFrom(byte) {
      try {
        return byte === 0 ? await readFile(path) : await readTail(path, byte);
      } catch (error) {
        throw new JournalUnusable(`The signing journal ${path} cannot be read (${codeOf(error)}).`);
      }
    },
    async append(bytes) {
      const file = await open(path, "a").catch((error: unknown) => {
        throw unwritable(path, codeOf(error));
      });
      try {
        // One write: a second one could come behind what another process appends meanwhile.
        const { bytesWritten } = await file.write(bytes);
        if (bytesWritten !== bytes.length) throw unwritable(path, "the disk took a part of it");
      } catch (error) {
        throw error instanceof JournalUnwritable ? error : unwritable(path, codeOf(error));
      } finally {
        await file.close();
      }
    },
    sync: () => syncAt(path),
    async create(bytes) {
      // Processes in containers have the same ids, so only a random name is unique.
      const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const file = await open(draft, "wx", PRIVATE);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await link(draft, path);
        await syncAt(dirname(path));
        return true;
      } catch (error) {
        if (codeOf(error) === "EEXIST") return false;
        throw unwritable(path, codeOf(error));
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

async function readTail(path: string, byte: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.max(0, size - byte));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, byte);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function syncAt(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const unwritable = (path: string, why: string) =>
  new JournalUnwritable(`The signing journal ${path} takes nothing (${why}): nothing is sent.`);

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error));
