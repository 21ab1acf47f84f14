import type { By, OperatorDeed } from "#domain/access.ts";
import type { NamedDecider } from "#domain/proposal.ts";
import type { Uses } from "#server/context.ts";

/** A proposal that is carried out now. */
export type Order<Body> = {
  /** Who carries it out: in live mode the second person. */
  by: By;
  proposer: NamedDecider;
  subject: string;
  body: Body;
  reason: string | null;
};

/**
 * Something that one person proposes and, in live mode, a second one has to confirm. Whoever adds one enters it into `PROPOSAL_KINDS`
 * and gives its body a schema in `contract/proposal-bodies.ts`.
 */
export type ProposalKind<Body, Result, Powers> = {
  kind: string;
  /** What whoever proposes, confirms or withdraws it must be allowed to do. */
  deed: OperatorDeed;
  /** Reads the body anew when it is carried out: what was proposed may be days, and a release, old. */
  schema: { parse(body: unknown): Body };
  /** What of the body people and the audit log may see: never a secret, sealed or not. */
  show(body: Body): Record<string, unknown>;
  /** Does it, within the transaction that it is handed as `db`, with everything that the deed itself refuses and records. */
  carryOut: (ctx: Powers & Uses<"db">, order: Order<Body>) => Promise<Result>;
};
