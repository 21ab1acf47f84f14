export const RISK_HINT_KINDS = ["first_wallet_use", "wallet_changed", "far_above_usual", "just_under_maximum", "repeated"] as const;
export type RiskHintKind = (typeof RISK_HINT_KINDS)[number];

/** Why a person might look twice before approving. Hints explain, they never decide; but a person who approves acknowledges each. */
export type RiskHint = {
  kind: RiskHintKind;
  /** One sentence that says exactly what was found. Amounts are left to the evidence and the figures. */
  sentence: string;
  figures: { name: "p95" | "times" | "compared"; value: string }[];
  evidence: RiskEvidence[];
};
/** Another settlement as evidence. */
export type RiskEvidence = { id: string; at: Date; sourceAmountMinor: bigint; sourceCurrency: string; walletAddress: string };

/** Facts around a settlement at its creation. Lists have at most ten items, newest first. */
export type RiskFacts = {
  /** Earlier settlements of the partner to the same wallet, and how many of them were executed. */
  walletUses: number;
  walletExecuted: number;
  /** When this merchant's money first went to this wallet; this settlement's own creation when it is the first. */
  merchantWalletSince: Date;
  /** The merchant's newest settlements to other wallets before that. */
  otherWallets: RiskEvidence[];
  /** Over the merchant's settlements in the same currency of 30 days before. */
  p95Minor: bigint | null;
  compared: number;
  /** The merchant's or wallet's settlements of the same pair, of 24 h before, between the share and the maximum itself. */
  justUnderMaximum: RiskEvidence[];
  /** The same merchant, amount, currency and wallet within 10 minutes before. */
  repeats: RiskEvidence[];
};

const DAY_MS = 86_400_000;
/** Fewer settlements do not show what is usual. */
const MIN_COMPARED = 5;
const TIMES = 3n;
const SEVERAL = 2;

/** The hints that the facts around a settlement give (domain of a person's judgement; thresholds are stated in each sentence). */
export function riskHints(settlement: { sourceAmountMinor: bigint; createdAt: Date }, facts: RiskFacts): RiskHint[] {
  return [firstUse(facts), walletChanged(settlement, facts), farAbove(settlement, facts), justUnder(facts), repeated(facts)].filter(
    (hint) => hint !== null,
  );
}

function firstUse({ walletUses, walletExecuted }: RiskFacts): RiskHint | null {
  if (walletExecuted > 0) return null;
  const sentence =
    walletUses === 0
      ? "This partner has never used this wallet before."
      : `Nothing has been paid to this wallet for this partner yet; ${walletUses} earlier ${walletUses === 1 ? "quote names" : "quotes name"} it.`;
  return hint("first_wallet_use", sentence, []);
}

function walletChanged({ createdAt }: { createdAt: Date }, { merchantWalletSince, otherWallets }: RiskFacts): RiskHint | null {
  const age = createdAt.getTime() - merchantWalletSince.getTime();
  if (otherWallets.length === 0 || age >= DAY_MS) return null;
  const since = age === 0 ? "with this settlement" : `${inWords(age)} before this settlement`;
  return hint("wallet_changed", `The merchant's wallet changed ${since}. Before that, its money went elsewhere.`, otherWallets);
}

function farAbove({ sourceAmountMinor }: { sourceAmountMinor: bigint }, { p95Minor, compared }: RiskFacts): RiskHint | null {
  if (p95Minor === null || p95Minor === 0n || compared < MIN_COMPARED || sourceAmountMinor < p95Minor * TIMES) return null;
  const tenths = (sourceAmountMinor * 10n) / p95Minor;
  const times = `${tenths / 10n}.${tenths % 10n}`;
  const found = hint("far_above_usual", `The amount is ${times} times the 95th percentile of the merchant's settlements in 30 days.`, []);
  const figures = { p95: p95Minor.toString(), times, compared: compared.toString() };
  return { ...found, figures: (["p95", "times", "compared"] as const).map((name) => ({ name, value: figures[name] })) };
}

function justUnder({ justUnderMaximum }: RiskFacts): RiskHint | null {
  if (justUnderMaximum.length < SEVERAL) return null;
  const many = justUnderMaximum.length >= 10 ? "10 or more" : justUnderMaximum.length;
  return hint(
    "just_under_maximum",
    `${many} settlements in the 24 hours before, of this merchant or to this wallet, were just under the maximum (at least nine tenths of it).`,
    justUnderMaximum,
  );
}

function repeated({ repeats }: RiskFacts): RiskHint | null {
  if (repeats.length === 0) return null;
  return hint(
    "repeated",
    `The same merchant, amount and wallet ${repeats.length === 1 ? "came once" : `came ${repeats.length} times`} in the 10 minutes before.`,
    repeats,
  );
}

function hint(kind: RiskHint["kind"], sentence: string, evidence: RiskEvidence[]): RiskHint {
  return { kind, sentence, figures: [], evidence };
}

function inWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** How many settlements each kind of hint holds for. */
export type HintCounts = ReadonlyMap<RiskHintKind, number>;

export function countHints(hints: Iterable<readonly RiskHint[]>): HintCounts {
  const counts = new Map<RiskHintKind, number>();
  for (const found of hints) for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** The kinds that hold for more settlements than a person has acknowledged. */
export function unacknowledged(found: HintCounts, acknowledged: HintCounts): RiskHintKind[] {
  return RISK_HINT_KINDS.filter((kind) => (found.get(kind) ?? 0) > (acknowledged.get(kind) ?? 0));
}
