import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { addressKey } from "#domain/address-key.ts";
import { ListFault, readAddressList } from "#domain/address-list.ts";
import { isNamed, readNameList } from "#domain/name-list.ts";
import { PAYEES, type Word } from "#domain/screening.ts";
import { isOfListed } from "#domain/wallet-address.ts";
import type { Log } from "#server/ports.ts";
import { type Source, silence } from "./source.ts";

/** Real time. */
export type ListTimings = {
  /** How often it is looked whether the file has changed. */
  lookMs: number;
  /** How long the last good edition is used while the file is unreadable. */
  graceMs: number;
};
const PACE: ListTimings = { lookMs: 2_000, graceMs: 24 * 3_600_000 };

/** How a kind of list is read, and what it answers. */
type Reading = {
  kind: "list" | "names";
  covers: Source["covers"];
  read(text: string): { isNamed(asked: string): boolean; size: number; publishedOn: string | null };
};
const ADDRESSES: Reading = {
  kind: "list",
  covers: ({ chain }) => isOfListed(chain),
  read(text) {
    const { addresses, publishedOn } = readAddressList(text);
    return { isNamed: (address) => addresses.has(addressKey(address)), size: addresses.size, publishedOn };
  },
};
const NAMES: Reading = {
  kind: "names",
  covers: ({ chain }) => chain === PAYEES,
  read(text) {
    const list = readNameList(text);
    return { isNamed: (name) => isNamed(list, name), size: list.size, publishedOn: list.publishedOn };
  },
};

type Edition = { list: ReturnType<Reading["read"]>; hash: string; version: string };
type State = { edition: Edition; stamp: string; broken: { since: Date; reason: string } | null; lookedAt: number };

/** A list of addresses in a file, for the chains of every family. @throws ListFault when the file is incomplete or damaged at the start */
export function listSource(file: string, log: Log, options: Partial<ListTimings> = {}): Source {
  return fileSource(ADDRESSES, file, log, options);
}

/** As {@link listSource}, a list of names, for payees. @throws ListFault */
export function namesSource(file: string, log: Log, options: Partial<ListTimings> = {}): Source {
  return fileSource(NAMES, file, log, options);
}

/**
 * A list in a file. It is read again when the file changes. While the file is incomplete or damaged, the
 * last good edition is used for a day; after that, the source is silent.
 *
 * @throws ListFault when the file is incomplete or damaged at the start
 */
function fileSource(reading: Reading, file: string, log: Log, options: Partial<ListTimings>): Source {
  const { kind } = reading;
  const timings = { ...PACE, ...options };
  const name = basename(file);
  const state: State = { ...openFirst(reading, file), broken: null, lookedAt: performance.now() };
  let looking: Promise<void> | null = null;

  function lookAgain(): Promise<void> {
    if (performance.now() - state.lookedAt < timings.lookMs) return Promise.resolve();
    looking ??= look().finally(() => {
      state.lookedAt = performance.now();
      looking = null;
    });
    return looking;
  }
  async function look(): Promise<void> {
    try {
      const stamp = stampOf(await stat(file));
      if (stamp === state.stamp) return;
      const edition = toEdition(reading, await readFile(file));
      if (state.broken !== null || edition.hash !== state.edition.hash)
        log.info({ list: name, version: edition.version, entries: edition.list.size }, "another edition of the list is in force");
      Object.assign(state, { edition, stamp, broken: null });
    } catch (error) {
      const reason = error instanceof ListFault ? error.message : `cannot be read (${codeOf(error)})`;
      if (state.broken?.reason !== reason)
        log.error(
          { list: name, reason, in_force: state.edition.version },
          "the list is incomplete or damaged: the last good edition stays in force",
        );
      state.broken = { since: state.broken?.since ?? new Date(), reason };
    }
  }
  async function ask(addresses: readonly string[]): Promise<Word[]> {
    await lookAgain();
    const { edition, broken } = state;
    const named = { kind, name };
    if (broken !== null && Date.now() - broken.since.getTime() >= timings.graceMs)
      return addresses.map(() => silence(named, `the file ${broken.reason}; the last whole edition is too old`));
    const askedAt = new Date();
    return addresses.map((address) => ({
      kind,
      source: name,
      block: null,
      version: edition.version,
      detail: null,
      askedAt,
      answer: edition.list.isNamed(address) ? "hit" : "clear",
    }));
  }
  return {
    kind,
    name,
    covers: reading.covers,
    ask,
    trouble: () =>
      state.broken && `${name} ${state.broken.reason} since ${state.broken.since.toISOString()}; in force is ${state.edition.version}.`,
  };
}

function openFirst(reading: Reading, file: string): Pick<State, "edition" | "stamp"> {
  const stamp = stampOf(statSync(file));
  return { stamp, edition: toEdition(reading, readFileSync(file)) };
}

function toEdition(reading: Reading, bytes: Buffer): Edition {
  const list = reading.read(bytes.toString("utf8"));
  const hash = createHash("sha256").update(bytes).digest("hex");
  const published = list.publishedOn === null ? "" : ` of ${list.publishedOn}`;
  return { list, hash, version: `sha256:${hash.slice(0, 16)}${published}` };
}

function stampOf({ mtimeMs, size, ino }: { mtimeMs: number; size: number; ino: number }): string {
  return [mtimeMs, size, ino].join(" ");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
