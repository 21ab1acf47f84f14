import { createHash } from "node:crypto";
import { z } from "zod";
import type { JournalEntry } from "#domain/journal.ts";

/** The first line. `note`: who began it, and from what. */
export type Header = { kind: "journal"; version: 1; installation: string; at: Date; note: string };
/** Says that the lines just before were cut off in writing, and count for nothing. */
export type Torn = { kind: "torn"; bytes: number };
export type JournalRecord = Header | Torn | JournalEntry;

/** Who writes, and how much it has written: a missing line shows as a gap in its writer's count. */
export type Writer = { id: string; count: number; check: string };

const at = z.iso.datetime().transform((text) => new Date(text));
const place = { chain: z.string(), wallet: z.string(), nonce: z.int().min(0), owner: z.string(), at };
const hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const content = {
  recipient: z.string(),
  token: z.string().nullable(),
  amount: z.string().regex(/^\d+$/).transform(BigInt),
};
const member = z
  .object({ owner: z.string(), recipient: z.string(), amount: content.amount })
  .transform(({ amount, ...rest }) => ({ ...rest, amountBase: amount }));
const toEntry = <Fields extends { amount: bigint }>({ amount, ...rest }: Fields) => ({ ...rest, amountBase: amount });
/** A payment that lapses. A release that does not know such lines refuses them, and with them the journal: it must not pay the owners again. */
const attempt = { chain: z.string(), owner: z.string(), id: z.string().min(1), at };
const expiry = z.union([z.object({ by: z.literal("height"), last: z.int().min(0) }), z.object({ by: z.literal("time"), last: at })]);
const feeAtMost = z.object({ token: z.string().nullable(), amount: content.amount }).transform(toEntry);
const lapsing = {
  ...attempt,
  ...content,
  wallet: z.string(),
  after: z.int().min(0),
  expiry,
  feeAtMost,
  bytes: z.string(),
};
const RECORD = z.union([
  z.object({ kind: z.enum(["payment", "filler", "cancellation"]), ...place, hash, ...content }).transform(toEntry),
  // A release that does not know packed transactions refuses such a line, and with it the journal: it must not pay the members again.
  z.object({ kind: z.literal("packed"), ...place, hash, ...content, members: z.array(member) }).transform(toEntry),
  z.object({ kind: z.literal("spent"), ...place, ...content, hashes: z.array(hash), reason: z.string() }).transform(toEntry),
  z.object({ kind: z.literal("lapsing"), ...lapsing }).transform(toEntry),
  // Also one that makes several payments: a release that does not know it refuses the line.
  z.object({ kind: z.literal("lapsing_pack"), ...lapsing, members: z.array(member) }).transform(toEntry),
  z.object({ kind: z.literal("lapsed"), ...attempt, reason: z.string() }),
  z.object({ kind: z.literal("torn"), bytes: z.int() }),
  z.object({ kind: z.literal("journal"), version: z.literal(1), installation: z.string(), at, note: z.string() }),
]);
const WRITER = z.object({ by: z.string(), count: z.int().min(0) });

/** One line of the file, and its writer after it. The check covers the line and the writer's line before. */
export function writeLine(writer: Writer, record: JournalRecord): { line: string; writer: Writer } {
  const json = JSON.stringify({ ...toLine(record), by: writer.id, count: writer.count });
  const check = checkOf(writer.check, json);
  return { line: `${check} ${json}\n`, writer: { ...writer, count: writer.count + 1, check } };
}

function toLine(record: JournalRecord): object {
  if (!("amountBase" in record)) return record;
  const { amountBase, ...rest } = record;
  const amount = String(amountBase);
  const paying =
    rest.kind === "spent" ? undefined : rest.members?.map(({ amountBase: each, ...one }) => ({ ...one, amount: String(each) }));
  const members = paying === undefined ? {} : { members: paying };
  if (rest.kind === "lapsing" || rest.kind === "lapsing_pack")
    return { ...rest, amount, ...members, feeAtMost: { token: rest.feeAtMost.token, amount: String(rest.feeAtMost.amountBase) } };
  return { ...rest, amount, ...members };
}

/**
 * `fragment`: it was cut off. Null: it is whole and was changed, or a line of its writer before it is missing. `before`: the writer as of its
 * last line; undefined: it had none.
 */
export function readLine(
  line: string,
  before: (id: string) => Writer | undefined,
): { record: JournalRecord; writer: Writer } | "fragment" | null {
  const [check = "", json = ""] = [line.slice(0, 16), line.slice(17)];
  const value = parse(json);
  if (value === undefined) return "fragment";
  const by = WRITER.safeParse(value);
  if (!by.success) return null;
  const { by: id, count } = by.data;
  const known = before(id) ?? { id, count: 0, check: "" };
  if (known.count !== count || check !== checkOf(known.check, json)) return null;
  const record = RECORD.safeParse(value);
  return record.success ? { record: record.data, writer: { id, count: count + 1, check } } : null;
}

const checkOf = (before: string, json: string) => createHash("sha256").update(`${before} ${json}`).digest("hex").slice(0, 16);

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
