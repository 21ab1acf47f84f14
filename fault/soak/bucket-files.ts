import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Heard, Owed, Payment } from "#fault/checker.ts";

/** What a long run has to remember of each settlement, on disk: the driver's memory does not grow with their number. */

/**
 * Kinds of facts. Each is filed by the end of its wallet, so that all about one settlement lies together. A callback names no wallet: it is
 * filed anywhere as it arrives, and by its wallet at the end.
 */
type Filed = { owed: Owed; arrived: Heard; heard: Heard; payment: Payment };
export type Filing = {
  add<Kind extends keyof Filed>(kind: Kind, wallet: string, fact: Filed[Kind]): void;
  /** Writes what is still in memory. */
  flush(): void;
  /** All facts of a kind about wallets that end so. */
  read<Kind extends keyof Filed>(kind: Kind, endings: readonly string[]): Filed[Kind][];
};

/** The last two hexadecimal digits of a wallet, in small letters. */
export const ENDINGS: readonly string[] = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, "0"));
const MOST_WAITING = 1_000;
const BASE = "amountBase";

export function openFiling(folder: string): Filing {
  mkdirSync(folder, { recursive: true });
  const waiting = new Map<string, string[]>();
  let lines = 0;
  const fileOf = (kind: keyof Filed, ending: string) => join(folder, `${kind}-${ending}.jsonl`);
  const flush = () => {
    for (const [file, facts] of waiting) appendFileSync(file, facts.join(""));
    waiting.clear();
    lines = 0;
  };
  return {
    flush,
    add(kind, wallet, fact) {
      const file = fileOf(kind, wallet.slice(-2).toLowerCase());
      const text = JSON.stringify(fact, (_, value) => (typeof value === "bigint" ? String(value) : value));
      waiting.set(file, [...(waiting.get(file) ?? []), `${text}\n`]);
      lines += 1;
      if (lines >= MOST_WAITING) flush();
    },
    read(kind, endings) {
      const texts = endings.map((ending) => fileOf(kind, ending)).filter((file) => existsSync(file));
      return texts.flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line, (key, value) => (key === BASE ? BigInt(value) : value))),
      );
    },
  };
}

/** An array that hands on what is pushed, and keeps nothing. */
export class HandedOn<T> extends Array<T> {
  readonly #take: (one: T) => void;

  constructor(take: (one: T) => void) {
    super();
    this.#take = take;
  }

  static override get [Symbol.species]() {
    return Array;
  }

  override push(...all: T[]): number {
    for (const one of all) this.#take(one);
    return 0;
  }
}
