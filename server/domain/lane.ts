/**
 * What is stopped together when an invariant is broken: one treasury wallet (`key`: the id of its row), one chain (CAIP-2), one fiat
 * provider (its name) or what is paid out for one partner (its id). Other lanes go on, and so does the API.
 */
export const LANE_KINDS = ["wallet", "chain", "provider", "partner"] as const;
export type LaneKind = (typeof LANE_KINDS)[number];
export type Lane = { kind: LaneKind; key: string };

/** Why a lane stands: what broke, or that a person stopped it. */
export const HALT_CAUSES = [
  /** A person with the right to. */
  "operator",
  /** The wallet's nonce was spent by a transaction that is not ours: a restored database, a second signer or a thief. */
  "foreign_nonce",
  /** A person said that the wallet's key is in other hands. */
  "key_compromised",
  /** The audit found a rule broken that concerns the lane. */
  "broken_invariant",
  /** The provider contradicts what it said before. */
  "provider_contradiction",
] as const;
export type HaltCause = (typeof HALT_CAUSES)[number];

/** One stop of a lane, from when it was met to when people lifted it. */
export type LaneHalt = {
  id: string;
  lane: Lane;
  cause: HaltCause;
  /** What was met and what was found, in words for operators. */
  detail: string;
  /** The same for programs, in wire names; what it holds depends on the cause. */
  evidence: Record<string, unknown>;
  /** Business time. */
  since: Date;
  /** Null: the service itself. */
  haltedBy: string | null;
  lift: { at: Date; by: string; confirmedBy: string | null; reason: string } | null;
};
