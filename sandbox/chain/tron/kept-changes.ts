import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { Kept } from "./double-chain.ts";

/** The changes of a network, one a line: a block takes two hundred bytes. The last line may be half of one, after a crash. */
export function readChanges(file: string): Kept[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "latin1").split("\n");
  return lines.slice(0, -1).map((line) => deserialize(Buffer.from(line, "base64")) as Kept);
}

/** Adds a change. */
export function appendChange(file: string, change: Kept): void {
  appendFileSync(file, `${serialize(change).toString("base64")}\n`, { mode: 0o600 });
}
