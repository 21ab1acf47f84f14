import type { Decider } from "./approval.ts";

/** One of the operator's people, or a key, with the name of the moment. */
export type NamedDecider = Decider & { name: string };

/** What one has proposed and another one has to confirm before it happens (contract, part 10 "Two people"). */
export type Proposal = {
  id: string;
  kind: string;
  subject: string;
  /** In wire names, as its kind understands it. */
  body: unknown;
  reason: string | null;
  proposer: NamedDecider;
  proposedAt: Date;
  /** Who carried it out or withdrew it. */
  decider: NamedDecider | null;
  decidedAt: Date | null;
  outcome: "open" | "carried_out" | "withdrawn";
};
