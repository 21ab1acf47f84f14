import { randomUUID } from "node:crypto";

/** What an id names, by its prefix (contract, part 1). Partners, members, users and keys have UUIDs instead. */
export const ID_PREFIXES = {
  settlement: "tx",
  batch: "ba",
  withdrawal: "wd",
  topup: "tu",
  callback: "cb",
  attempt: "ca",
  event: "ev",
  destination: "de",
  transfer: "tr",
  transaction: "ct",
  request: "req",
  audit: "au",
  verification: "av",
  terms: "pt",
  approvalPolicy: "ap",
  providerEvent: "pe",
  ledgerEntry: "le",
  safeDeployment: "sd",
  resendJob: "rj",
  savedView: "sv",
  proposal: "pr",
  scopeHalt: "lh",
  verdict: "vd",
  hold: "ho",
  booking: "bk",
  treasuryWithdrawal: "tw",
  statusIncident: "si",
  incident: "in",
  incidentEntry: "ie",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

export const ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
/** 48 bits of time, then 80 of chance. */
const TIME_LENGTH = 10;
const CHANCE_LENGTH = 16;
const FORM = new RegExp(`^[${ID_LETTERS}]{${TIME_LENGTH + CHANCE_LENGTH}}$`);

/**
 * A new id: the prefix, then 26 characters of Crockford base 32 with 48 bits of time and 80 random bits, so that ids sort by time of
 * creation and cannot be guessed.
 */
export function newId(kind: IdKind, now: Date): string {
  // Drawn many times faster than single bytes; only these of its digits are random.
  const uuid = randomUUID();
  const digits = uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(24);
  let text = firstOf(kind, now);
  for (let at = 0; at < 20; at += 5) text += base32(Number.parseInt(digits.slice(at, at + 5), 16), CHANCE_LENGTH / 4);
  return text;
}

/**
 * The id of a sample: of the right form, but with ten zeros where every other id has its time, so that a receiver recognises it. It never
 * names anything.
 */
export function newSampleId(kind: IdKind): string {
  return newId(kind, new Date(0));
}

/** What no id of that kind made at or after an instant sorts before. Ids know no time before 1970. */
export function firstId(kind: IdKind, at: Date): string {
  return firstOf(kind, at.getTime() < 0 ? new Date(0) : at) + "0".repeat(CHANCE_LENGTH);
}

function firstOf(kind: IdKind, at: Date): string {
  return `${ID_PREFIXES[kind]}_${base32(at.getTime(), TIME_LENGTH)}`;
}

function base32(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ID_LETTERS.charAt(rest % 32) + text;
  return text;
}

/** When an id was created; null for a malformed text. */
export function timeOfId(id: string): Date | null {
  const [prefix = "", rest = ""] = id.split("_");
  if (!Object.values<string>(ID_PREFIXES).includes(prefix) || !FORM.test(rest)) return null;
  let time = 0;
  for (const letter of rest.slice(0, TIME_LENGTH)) time = time * 32 + ID_LETTERS.indexOf(letter);
  return new Date(time);
}

/** Whether a text has the form of an id of that kind. Any other text cannot name anything: 404. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && FORM.test(text.slice(prefix.length));
}
