import type { Finding } from "./payment-check.ts";

/** The recipient and token of a payment: the object of a screening. Of a payout, {@link PAYEES} and the payee's name. `tokenAddress` null: the chain's native coin. */
export type Destination = { chain: string; tokenAddress: string | null; address: string };

/**
 * Possible sources: a contract with sanctioned addresses, a list of addresses in a file, the blocklist of the token's own issuer, and for payouts
 * a list of names in a file. An
 * issuer only knows addresses that it has frozen itself, so its answer alone covers nobody.
 */
export type ScreeningSource = "oracle" | "list" | "issuer" | "names";

/** In place of a chain, for a payout: its address is the payee's name. */
export const PAYEES = "payees";

/** One source's answer about one address, and the state it is based on. */
export type Word = {
  kind: ScreeningSource;
  /** Which one: its contract, or its file. */
  source: string;
  /** `silent`: no answer, or an invalid one. */
  answer: "clear" | "hit" | "silent";
  /** The newest block when it was asked; null for sources outside a chain, and for silence. */
  block: number | null;
  /** Which edition of a list: its hash, and of when it is. */
  version: string | null;
  /** More about the answer, for people. */
  detail: string | null;
  /** Real time. */
  askedAt: Date;
};

/** The conclusion from all answers. `uncovered`: no source was asked that would know such an address, which is not the same as clear. */
export type ScreeningOutcome = "clear" | "hit" | "silent" | "uncovered";

export type Screening = Destination & { outcome: ScreeningOutcome; words: readonly Word[] };

/** One hit is a hit whatever the others say, and one silence prevents a clear result. */
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

/** No source was asked in time, or at all. */
export function unasked(destination: Destination, why: string, askedAt: Date): Screening {
  return concludeScreening(destination, [
    { kind: "list", source: NOBODY, answer: "silent", block: null, version: null, detail: why, askedAt },
  ]);
}
const NOBODY = "(nobody was asked)";

/** The suffix of a finding's key that people need not decide on: the payment continues by itself once there is an answer. */
export const UNANSWERED = " unanswered";

/**
 * The screening as a check of the payment: each answer that is not `clear` holds it. A released payment is not held again for the same
 * answer of the same source; a silent source that later lists the recipient gives another answer.
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

function sentence(answer: Word["answer"], who: string): string {
  if (answer === "hit") return `The recipient is named by ${who}.`;
  return answer === "clear" ? `The recipient is not named by ${who}.` : `There is no answer from ${who}.`;
}

export const SOURCE_WORDS: Record<ScreeningSource, string> = {
  oracle: "the sanctions oracle",
  list: "the address list",
  issuer: "the issuer's blocklist of",
  names: "the list of names",
};

/** The sources of an installation for one chain. */
export type ScreeningCover = {
  chain: string;
  /** Whether an address of it can come out clear at all. */
  covered: boolean;
  /** The sources, in words. */
  sources: readonly string[];
  /** Those of them that do not answer just now. */
  silent: readonly string[];
};

/** The trouble with a source, in a sentence for operators. */
export type ScreeningTrouble = { kind: ScreeningSource; detail: string };

/** The state of screening in a process: `off`, or the sources by chain, and their troubles. */
export type ScreeningState = { isOn: boolean; covers: readonly ScreeningCover[]; troubles: readonly ScreeningTrouble[] };

/** The state of screening for operators, uncovered chains first. */
export function describeScreening({ isOn, covers, troubles }: ScreeningState): string {
  if (!isOn) return "off: no recipient is held against anything";
  const uncovered = covers.filter(({ covered }) => !covered).map(({ chain }) => chain);
  const asked = covers.flatMap(({ chain, covered, sources, silent }) => {
    const answering = sources.filter((source) => !silent.includes(source));
    return covered && answering.length > 0 ? [`${chain} by ${answering.join(", ")}`] : [];
  });
  const parts = [
    ...(uncovered.length > 0 ? [`not covered, so that every payment there waits for an admin: ${uncovered.join(", ")}`] : []),
    ...troubles.map(({ detail }) => detail),
    ...(asked.length > 0 ? [`covered: ${asked.join("; ")}`] : []),
  ];
  return parts.join("; ");
}

/** The questions that contracts answer about one address: sanctions oracles, and the tokens of Circle's, Tether's older and newer make. */
export const ISSUER_QUESTIONS = ["isBlackListed", "isBlacklisted", "isBlocked"] as const;
export type IssuerQuestion = (typeof ISSUER_QUESTIONS)[number];
export type AddressQuestion = IssuerQuestion | "isSanctioned";
