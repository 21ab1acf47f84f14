import { randomBytes } from "node:crypto";

/** What an id names, by its prefix (contract, part 1). Partners, members, users and keys have UUIDs instead. */
export const ID_PREFIXES = {
  settlement: "tx",
  withdrawal: "wd",
  topup: "tu",
  callback: "cb",
  attempt: "ca",
  transfer: "tr",
  transaction: "ct",
  request: "req",
  audit: "au",
  verification: "av",
  terms: "pt",
  providerEvent: "pe",
  ledgerEntry: "le",
  safeDeployment: "sd",
  resendJob: "rj",
  savedView: "sv",
  proposal: "pr",
  laneHalt: "lh",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 26;

/**
 * A new id: the prefix, then 26 characters of Crockford base 32 that hold 48 bits of time and 80 random bits, so that ids
 * sort by the moment they were made and cannot be guessed.
 */
export function newId(kind: IdKind, now: Date): string {
  return write(kind, now, BigInt(`0x${randomBytes(10).toString("hex")}`));
}

/**
 * An id that names nothing and never will: of the right form, and with ten zeros in the place where every other id tells when it was
 * made, so that whoever receives it knows it for a sample.
 */
export function newSampleId(kind: IdKind): string {
  return newId(kind, new Date(0));
}

/** What no id of that kind made at or after an instant sorts before. */
export function firstId(kind: IdKind, at: Date): string {
  return write(kind, at, 0n);
}

function write(kind: IdKind, at: Date, random: bigint): string {
  let bits = (BigInt(at.getTime()) << 80n) | random;
  let text = "";
  for (let index = 0; index < LENGTH; index += 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return `${ID_PREFIXES[kind]}_${text}`;
}

/** Whether a text has the form of an id of that kind. A text that has not cannot name anything: 404. */
export function isId(kind: IdKind, text: string): boolean {
  return new RegExp(`^${ID_PREFIXES[kind]}_[${ALPHABET}]{${LENGTH}}$`).test(text);
}
