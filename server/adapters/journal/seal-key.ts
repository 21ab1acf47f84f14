import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { JournalUnusable, JournalUnwritable } from "#domain/journal.ts";

const BYTES = 32;

/**
 * The key that keeps signed bytes closed until the journal has them: a file next to the journal, made where it is missing. Of several
 * processes that start at once, one makes it and all read the same. @throws JournalUnusable where it cannot be read, JournalUnwritable where it
 * cannot be made
 */
export function readOrMakeSealKey(journal: string): Buffer {
  const file = `${journal}.seal`;
  const found = orSay(JournalUnusable, () => read(file));
  return found ?? orSay(JournalUnwritable, () => make(file));
}

function orSay<Value>(Trouble: typeof JournalUnusable | typeof JournalUnwritable, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new Trouble(`The key of the signing journal's seal cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}

function make(file: string): Buffer {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(BYTES).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    // A link appears complete or not at all, and never replaces what another process made first.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  const made = read(file);
  if (made === null) throw new Error(`the seal's key ${file} could not be made`);
  return made;
}

function read(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error(`the file ${file} holds no key of a seal`);
  return Buffer.from(text, "hex");
}
