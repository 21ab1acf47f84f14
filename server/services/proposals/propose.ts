import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findVoter, insertProposal } from "#db/queries/proposals/proposals.ts";
import { type By, type OperatorPermission, refuseUnlessOperator } from "#domain/access.ts";
import { deciderOf, type NamedDecider, type Proposal } from "#domain/approval.ts";
import { newId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
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
 * Something that one person proposes and, in live mode, a second one has to confirm. Anyone who adds one enters it into `PROPOSAL_KINDS`
 * and gives its body a schema in `contract/proposal-bodies.ts`.
 */
export type ProposalKind<Body, Result, Powers, Found = undefined> = {
  kind: string;
  /** What anyone who proposes, confirms or withdraws it must be allowed to do. */
  permission: OperatorPermission;
  /** Reads the body again when it is carried out: what was proposed may be days, and a release, old. */
  schema: { parse(body: unknown): Body };
  /** A passkey of the second person signs it, where the installation has decisions signed. Its body holds no secret. */
  isSigned?: true;
  /** What of the body people and the audit log may see: never a secret, sealed or not. */
  show(body: Body): Record<string, unknown>;
  /**
   * Asks what must not be asked in a transaction, such as a chain's nodes. It runs at the proposal, which it may refuse, and again right
   * before the action. Omitted: there is nothing to ask.
   */
  prepare?: (ctx: Powers & Uses<"db">, body: Body) => Promise<Found>;
  /** Executes the action within the transaction `db`, with its own refusals and audit entries. */
  carryOut: (ctx: Powers & Uses<"db">, order: Order<Body>, found: Found) => Promise<Result>;
};

export type Propose<Body> = { by: By; subject: string; body: Body; reason: string | null };
/** `result`: of the action if it was executed at once; null while it waits for a second person. */
export type Proposed<Result> = { proposal: Proposal; result: Result | null };

/**
 * Proposes an action that needs two people (contract, part 10). In live mode it waits until another person confirms it. In the sandbox one
 * person is enough, and it is executed at once, in this transaction.
 *
 * @throws Refusal `forbidden`, `conflict` while the same is proposed already, and any refusal of the action if it is executed at once.
 */
export async function propose<Body, Result, Powers, Found>(
  ctx: Powers & Uses<"db" | "mode">,
  kind: ProposalKind<Body, Result, Powers, Found>,
  { by, subject, body: proposed, reason }: Propose<Body>,
): Promise<Proposed<Result>> {
  refuseUnlessOperator(by.actor, kind.permission);
  const body = kind.schema.parse(proposed);
  const carryOut = await prepareAction(ctx, kind, body);
  return await ctx.db.transaction(async (tx) => {
    const proposer = await nameActor(tx, by);
    const proposedAt = await readBusinessNow(tx);
    const isDone = ctx.mode === "sandbox";
    const decision = isDone ? { decider: proposer, decidedAt: proposedAt } : { decider: null, decidedAt: null };
    const outcome = isDone ? ("carried_out" as const) : ("open" as const);
    const id = newId("proposal", proposedAt);
    const proposal = { id, kind: kind.kind, subject, body, reason, proposer, proposedAt, ...decision, outcome };
    if (!(await insertProposal(tx, proposal)))
      throw new Refusal("conflict", { detail: "The same proposal already exists. Confirm or withdraw it first." });
    if (isDone) return { proposal, result: await carryOut({ ...ctx, db: tx }, { by, proposer, subject, reason }) };
    const change = { kind: kind.kind, subject, ...kind.show(body) };
    await insertAuditEntry(tx, { by, partnerId: null, action: "proposal.made", objectId: id, reason, change, now: proposedAt });
    return { proposal, result: null };
  });
}

export type CarryOut<Powers, Result> = (ctx: Powers & Uses<"db">, order: Omit<Order<unknown>, "body">) => Promise<Result>;

/** The action with what it asks beforehand: to be carried out in a transaction that begins now. @throws Refusal of the kind */
export async function prepareAction<Body, Result, Powers, Found>(
  ctx: Powers & Uses<"db">,
  kind: ProposalKind<Body, Result, Powers, Found>,
  body: Body,
): Promise<CarryOut<Powers, Result>> {
  // A kind that asks nothing has the type `undefined` for what it finds.
  const found = (await kind.prepare?.(ctx, body)) as Found;
  return (inside, order) => kind.carryOut(inside, { ...order, body }, found);
}

/** @throws Refusal `forbidden` for a caller who is neither an operator's user nor an operator's key. */
export async function nameActor(tx: Database, { actor }: By): Promise<NamedDecider> {
  const decider = deciderOf(actor);
  if (decider === null) throw new Refusal("forbidden", { detail: "Your role does not include this." });
  return { ...decider, name: (await findVoter(tx, decider))?.name ?? decider.id };
}
