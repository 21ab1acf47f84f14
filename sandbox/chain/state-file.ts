import { closeSync, copyFileSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { z } from "zod";
import { writeWhole } from "#sandbox/data-directory.ts";

/** How many of the newest blocks are kept: an hour. Older ones are kept only if they have a transaction. */
const KEPT_BLOCKS = 3_600;
/** The node writes the whole file every second: above this size, empty blocks are dropped. */
const LARGE = 32 * 1024 * 1024;

const State = z.looseObject({
  blocks: z.array(
    z.looseObject({ header: z.looseObject({ number: z.string(), timestamp: z.string() }), transactions: z.array(z.unknown()) }),
  ),
  accounts: z.record(z.string(), z.unknown()),
});

function copyOf(file: string): string {
  return `${file}.copy`;
}

/**
 * Makes the state ready for a start. The node writes it in place, so that a SIGKILL may leave half a file: then the copy of a
 * second ago takes its place, and of two broken ones none.
 */
export function repairState(file: string): void {
  const text = readState(file) ?? readState(copyOf(file));
  if (text === null) {
    for (const broken of [file, copyOf(file)]) rmSync(broken, { force: true });
    return;
  }
  writeWhole(file, forgetEmptyBlocks(text));
}

function readState(file: string): string | null {
  try {
    const text = readFileSync(file, "utf8");
    return State.safeParse(JSON.parse(text)).success ? text : null;
  } catch {
    return null;
  }
}

/**
 * A development node serves well without the old empty blocks; it cannot forget them by itself. Nor can it forget the first blocks that
 * it made of itself: every start adds one, and which of several it takes for the chain's own is chance. The oldest is the one.
 */
export function forgetEmptyBlocks(text: string): string {
  // A number beyond 2^53 would be written differently from how it was read.
  if (/[[:,]\s*-?\d{16,}/.test(text)) return text;
  const state = State.parse(JSON.parse(text));
  const newest = Math.max(0, ...state.blocks.map((block) => Number(block.header.number)));
  const firsts = state.blocks.filter((block) => Number(block.header.number) === 0);
  const genesis = firsts.toSorted((left, right) => Number(left.header.timestamp) - Number(right.header.timestamp))[0];
  const isKept = (block: (typeof state.blocks)[number]) => {
    const number = Number(block.header.number);
    if (number === 0) return block === genesis;
    return number > newest - KEPT_BLOCKS || block.transactions.length > 0;
  };
  const blocks = state.blocks.filter(isKept);
  return blocks.length === state.blocks.length ? text : JSON.stringify({ ...state, blocks });
}

export function isLarge(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGE;
}

/** Maintains a complete copy of the state, at most about a second old, while the node runs. */
export function keepCopy(file: string): { end(): void } {
  let copied = 0;
  const copy = () => {
    try {
      const before = statSync(file);
      if (before.mtimeMs === copied || !endsWhole(file, before.size)) return;
      copyFileSync(file, `${copyOf(file)}.draft`);
      const after = statSync(file);
      if (after.mtimeMs !== before.mtimeMs || after.size !== before.size) return; // written meanwhile: next time
      renameSync(`${copyOf(file)}.draft`, copyOf(file));
      copied = before.mtimeMs;
    } catch {
      // not there yet
    }
  };
  const timer = setInterval(copy, 700);
  return { end: () => clearInterval(timer) };
}

function endsWhole(file: string, size: number): boolean {
  if (size === 0) return false;
  const handle = openSync(file, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(handle, last, 0, 1, size - 1);
    return last.toString() === "}";
  } finally {
    closeSync(handle);
  }
}
