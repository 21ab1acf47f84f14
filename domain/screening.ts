/** Who would be paid, and in what: what a screening is asked about. `tokenAddress` null: the chain's native coin. */
export type Destination = { chain: string; tokenAddress: string | null; address: string };

/**
 * What can be asked: a contract that knows of sanctioned addresses, a list of addresses in a file, and the blocklist of the token's own
 * issuer. An issuer knows only whom it has frozen itself, so that its word alone covers nobody.
 */
export const SCREENING_SOURCES = ["oracle", "list", "issuer"] as const;
export type ScreeningSource = (typeof SCREENING_SOURCES)[number];

/** What one source said of one address, and of which state it spoke. */
export type Finding = {
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
export const SCREENING_OUTCOMES = ["clear", "hit", "silent", "uncovered"] as const;
export type ScreeningOutcome = (typeof SCREENING_OUTCOMES)[number];
export const SCREENING_STAGES = ["confirm", "sign"] as const;
export type ScreeningStage = (typeof SCREENING_STAGES)[number];

export type Screening = Destination & { outcome: ScreeningOutcome; findings: readonly Finding[] };

/** One hit is a hit whatever the others say, and one silence keeps what nobody objects to from being clear. */
export function concludeScreening(destination: Destination, findings: readonly Finding[]): Screening {
  return { ...destination, outcome: outcomeOf(findings), findings };
}

function outcomeOf(findings: readonly Finding[]): ScreeningOutcome {
  if (findings.some(({ answer }) => answer === "hit")) return "hit";
  if (findings.some(({ answer }) => answer === "silent")) return "silent";
  return findings.some(({ kind }) => kind !== "issuer") ? "clear" : "uncovered";
}

/** What stands against a payment: a source that names or does not know its recipient, or (null) that none covers it. */
type Objection = { source: string | null; answer: "hit" | "silent" };

function objectionsTo({ outcome, findings }: Pick<Screening, "outcome" | "findings">): Objection[] {
  const raised = findings.flatMap(({ source, answer }) => (answer === "clear" ? [] : [{ source, answer }]));
  return outcome === "uncovered" ? [{ source: null, answer: "silent" }, ...raised] : raised;
}

/**
 * Whether a payment may be signed. `released`: what people had before them when they released it; what they did not know then stops it
 * again: another source's hit, or a hit of one that had been silent.
 */
export function mayBePaid(
  screening: Pick<Screening, "outcome" | "findings">,
  released: readonly Pick<Screening, "outcome" | "findings">[],
): boolean {
  const known = released.flatMap(objectionsTo);
  return objectionsTo(screening).every(({ source, answer }) =>
    known.some((other) => other.source === source && (other.answer === "hit" || other.answer === answer)),
  );
}

/** What every such reason begins with. */
export const SCREENED = "Screening: ";

/** Why a payment is held, for operators; null where nothing speaks against it. */
export function screeningReason({ outcome, findings, chain }: Screening): string | null {
  const naming = (answer: Finding["answer"]) =>
    findings.filter((finding) => finding.answer === answer).map(({ kind, source }) => `${SOURCE_WORDS[kind]} ${source}`);
  switch (outcome) {
    case "clear":
      return null;
    case "hit":
      return `${SCREENED}the recipient is named by ${naming("hit").join(" and ")}.`;
    case "silent":
      return `${SCREENED}no answer from ${naming("silent").join(" and ")}.`;
    case "uncovered":
      return `${SCREENED}nothing that is asked knows the addresses of ${chain}.`;
  }
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
};

/** How screening stands in a process: `off`, or what is asked where, and what is amiss with that. */
export type ScreeningState = { isOn: boolean; covers: readonly ScreeningCover[]; troubles: readonly string[] };
