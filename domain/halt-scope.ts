/**
 * The scope of a halt after a broken invariant: one treasury wallet (`key`: the id of its row), one chain (CAIP-2), one fiat provider (its
 * name), payments for one partner (its id), the settlements of one pair, or everything that the treasury pays (`key`: {@link ALL}). Other
 * scopes continue, and so does the API.
 */
export const HALT_SCOPE_KINDS = ["wallet", "chain", "provider", "partner", "pair", "all"] as const;
export type HaltScopeKind = (typeof HALT_SCOPE_KINDS)[number];
export type HaltScope = { kind: HaltScopeKind; key: string };

/** The key of the one scope that is everything. */
export const ALL = "*";
export const EVERYTHING_SCOPE: HaltScope = { kind: "all", key: ALL };

/** The key of a pair's scope: `KES USDT eip155:1`. */
export function pairKey(pair: { sourceCurrency: string; destinationCurrency: string; chain: string }): string {
  return `${pair.sourceCurrency} ${pair.destinationCurrency} ${pair.chain}`;
}

/** Why a scope is halted: what broke, or that a person stopped it. */
export const HALT_CAUSES = [
  /** A person with the right to. */
  "operator",
  /** A transaction that is not ours has spent the wallet's nonce: a restored database, a second signer or a thief. */
  "foreign_nonce",
  /** Somebody else's transaction, or the key of a wallet that no longer signs, moved tokens out of the wallet. */
  "unexplained_outflow",
  /** A deep reorg let superseded bytes through that were made again or reported as failed. */
  "paid_in_vain",
  /** A payment was reported as made, a deep reorg took its block away, and the chain has mined it again without paying. */
  "unpaid_after_reorg",
  /** A person reported that the wallet's key has leaked. */
  "key_compromised",
  /** The audit found a rule broken that concerns the scope. */
  "broken_invariant",
  /** A payment was about to be signed that nobody owes: its row in the database was forged or changed. */
  "unowed_payment",
  /** The database knows of fewer signed nonces than the signing journal: it was restored, or lost its last commits. */
  "database_behind",
  /** A payment was about to be sent that the signing journal does not allow. */
  "journal_contradiction",
  /** The signing journal is missing, damaged or of another installation. */
  "journal_unusable",
  /** The provider contradicts what it said before. */
  "provider_contradiction",
] as const;
export type HaltCause = (typeof HALT_CAUSES)[number];

const WORDS: Record<HaltCause, string> = {
  operator: "stopped by an operator",
  foreign_nonce: "an unknown transaction has spent a treasury wallet's nonce",
  unexplained_outflow: "tokens left a treasury wallet, and no payment of ours explains it",
  paid_in_vain: "a superseded payment was mined after all",
  unpaid_after_reorg: "a payment that was reported as made is not paid after a deep reorg",
  key_compromised: "the wallet's key is in other hands",
  broken_invariant: "the audit found a rule broken",
  unowed_payment: "a payment that is not owed was about to be signed",
  database_behind: "the signing journal knows of payments that the database does not know",
  journal_contradiction: "a payment was about to be sent that the signing journal does not allow",
  journal_unusable: "the signing journal is missing or cannot be trusted",
  provider_contradiction: "the provider contradicts itself",
};
/** What every such reason begins with. */
export const HALTED = "Halted: ";

/** Why a scope is halted, in words. */
export function haltCauseWords(cause: HaltCause): string {
  return WORDS[cause];
}

/** Why work of the scope waits, in words that `isHaltReason` knows again. */
export function haltReason({ cause }: Pick<ScopeHalt, "cause">): string {
  return `${HALTED}${WORDS[cause]}.`;
}

/**
 * Whether the halt stops every wallet of its chain. What an unknown transaction paid may still be owed here, and another
 * wallet would pay it once more.
 */
export function stopsChain({ scope, cause }: Pick<ScopeHalt, "scope" | "cause">): boolean {
  return scope.kind !== "wallet" || cause === "foreign_nonce";
}

/** Whether work waits because people have to look, not because a part of the service does not do its own. */
export function isHaltReason(waitingReason: string): boolean {
  return waitingReason.startsWith(HALTED);
}

/** One halt of a scope, from the finding until people lift it. */
export type ScopeHalt = {
  id: string;
  scope: HaltScope;
  cause: HaltCause;
  /** The finding, in words for operators. */
  detail: string;
  /** The same for programs, in wire names; its fields depend on the cause. */
  evidence: Record<string, unknown>;
  /** Business time. */
  since: Date;
  /** Null: the service itself. */
  haltedBy: string | null;
  lift: { at: Date; by: string; confirmedBy: string | null; reason: string } | null;
};

/** The open payments that unknown transactions seem to have made, as the halt's evidence names them. */
export function paidTransfersIn({ evidence }: Pick<ScopeHalt, "evidence">): { transferId: string; hash: string }[] {
  if (!Array.isArray(evidence.paid)) return [];
  return evidence.paid.flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "transfer_id" in one && "hash" in one
      ? [{ transferId: String(one.transfer_id), hash: String(one.hash) }]
      : [],
  );
}

/** The most unread nonces that one lift may accept. */
export const MOST_ACCEPTED = 10_000;

/** The nonces that unknown transactions have spent, and the height up to which they had not; null for a halt of another cause. */
export function foreignNoncesIn({ cause, evidence }: ScopeHalt): { nonces: number[]; above: number | null } | null {
  const { from_nonce: from, below_nonce: below, above_height: above } = evidence;
  if (cause !== "foreign_nonce" || typeof from !== "number" || typeof below !== "number") return null;
  return { nonces: Array.from({ length: below - from }, (_, index) => from + index), above: typeof above === "number" ? above : null };
}
