import type { Finding } from "./payment-check.ts";

/** Who would be paid, and in what: what a screening is asked about. `tokenAddress` null: the chain's native coin. */
export type Destination = { chain: string; tokenAddress: string | null; address: string };

/**
 * What can be asked: a contract that knows of sanctioned addresses, a list of addresses in a file, and the blocklist of the token's own
 * issuer. An issuer knows only whom it has frozen itself, so that its word alone covers nobody.
 */
export type ScreeningSource = "oracle" | "list" | "issuer";

/** What one source said of one address, and of which state it spoke. */
export type Word = {
  kind: ScreeningSource;
  /** Which one: its contract, or its file. */
  source: string;
  /** `silent`: it did not answer, or with something that is no answer. */
  answer: "clear" | "hit" | "silent";
  /** The newest block where it was asked; null for what is not on a chain, and for silence. */
  block: number | null;
  /** Which edition of a list: its hash, and of when it is. */
  version: string | null;
  /** What else people should know of the answer. */
  detail: string | null;
  /** Real time. */
  askedAt: Date;
};

/**
 * What follows from all that was said. `uncovered`: nobody who would know of such an address was asked, which is not the same as clear.
 */
export type ScreeningOutcome = "clear" | "hit" | "silent" | "uncovered";

export type Screening = Destination & { outcome: ScreeningOutcome; words: readonly Word[] };

/** One hit is a hit whatever the others say, and one silence keeps what nobody objects to from being clear. */
export function concludeScreening(destination: Destination, words: readonly Word[]): Screening {
  return { ...destination, outcome: outcomeOf(words), words };
}

function outcomeOf(words: readonly Word[]): ScreeningOutcome {
  if (words.some(({ answer }) => answer === "hit")) return "hit";
  if (words.some(({ answer }) => answer === "silent")) return "silent";
  return isCovered(words) ? "clear" : "uncovered";
}

function isCovered(words: readonly Word[]): boolean {
  return words.some(({ kind }) => kind !== "issuer");
}

/** Nobody was asked in time, or at all. */
export function unasked(destination: Destination, why: string, askedAt: Date): Screening {
  return concludeScreening(destination, [
    { kind: "list", source: NOBODY, answer: "silent", block: null, version: null, detail: why, askedAt },
  ]);
}
const NOBODY = "(nobody was asked)";

/** What ends the key of a finding that people need not decide on: the payment goes on by itself once there is an answer. */
export const UNANSWERED = " unanswered";

/**
 * The screening as a check of the payment: each word that is not `clear` holds it. Released, a payment is not held for the same word of
 * the same source again; a source that was silent and then names the recipient says another.
 */
export function screeningFindings(screening: Screening): Finding[] {
  const { chain, address, tokenAddress, words } = screening;
  const about = { chain, address, token: tokenAddress };
  const said = words.map(({ kind, source, answer, block, version, detail, askedAt }): Finding => {
    const key = `${kind} ${source}`;
    return {
      key: answer === "silent" ? `${key}${UNANSWERED}` : key,
      version: version ?? (block === null ? "none" : `block ${block}`),
      outcome: answer === "clear" ? "pass" : "hold",
      dryRun: false,
      words: sentence(answer, `${SOURCE_WORDS[kind]} ${source}`),
      facts: { ...about, source: key, answer, block, version, detail, asked_at: askedAt.toISOString() },
    };
  });
  if (isCovered(words)) return said;
  const uncovered = { key: `uncovered ${chain}${UNANSWERED}`, version: "none", outcome: "hold", dryRun: false } as const;
  return [
    ...said,
    { ...uncovered, words: `Nothing that is asked knows the addresses of ${chain}.`, facts: { ...about, answer: "uncovered" } },
  ];
}

/** Whether what holds a payment may turn out otherwise when it is asked again, by the keys that hold it. A hit does not. */
export function isUnanswered(keys: readonly string[]): boolean {
  return keys.every((key) => key.endsWith(UNANSWERED));
}

function sentence(answer: Word["answer"], who: string): string {
  if (answer === "hit") return `The recipient is named by ${who}.`;
  return answer === "clear" ? `The recipient is not named by ${who}.` : `There is no answer from ${who}.`;
}

export const SOURCE_WORDS: Record<ScreeningSource, string> = {
  oracle: "the sanctions oracle",
  list: "the address list",
  issuer: "the issuer's blocklist of",
};

/** What an installation asks about one chain. */
export type ScreeningCover = {
  chain: string;
  /** Whether an address of it can come out clear at all. */
  covered: boolean;
  /** Who is asked, in words. */
  sources: readonly string[];
  /** Those of them that do not answer just now. */
  silent: readonly string[];
};

/** What is amiss with a source that is asked, in a sentence for operators. */
export type ScreeningTrouble = { kind: ScreeningSource; detail: string };

/** How screening stands in a process: `off`, or what is asked where, and what is amiss with that. */
export type ScreeningState = { isOn: boolean; covers: readonly ScreeningCover[]; troubles: readonly ScreeningTrouble[] };

/** How screening stands, for anyone who looks after the service: what is not covered is said first. */
export function describeScreening({ isOn, covers, troubles }: ScreeningState): string {
  if (!isOn) return "off: no recipient is held against anything";
  const uncovered = covers.filter(({ covered }) => !covered).map(({ chain }) => chain);
  const asked = covers.flatMap(({ chain, covered, sources, silent }) => {
    const answering = sources.filter((source) => !silent.includes(source));
    return covered && answering.length > 0 ? [`${chain} by ${answering.join(", ")}`] : [];
  });
  const told = [
    ...(uncovered.length > 0 ? [`not covered, so that every payment there waits for an admin: ${uncovered.join(", ")}`] : []),
    ...troubles.map(({ detail }) => detail),
    ...(asked.length > 0 ? [`covered: ${asked.join("; ")}`] : []),
  ];
  return told.join("; ");
}

/** The questions that contracts answer about one address: sanctions oracles, and the tokens of Circle's, Tether's older and newer make. */
export const ISSUER_QUESTIONS = ["isBlackListed", "isBlacklisted", "isBlocked"] as const;
export type IssuerQuestion = (typeof ISSUER_QUESTIONS)[number];
export type AddressQuestion = IssuerQuestion | "isSanctioned";
