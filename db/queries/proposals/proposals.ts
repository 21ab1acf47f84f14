import { and, asc, desc, eq, ne } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { proposals } from "#db/schema/proposals.ts";
import type { NamedDecider, Proposal } from "#domain/proposal.ts";

/** Answers false, and adds nothing, while another one of the same kind about the same thing is open. */
export async function insertProposal(db: Database, proposal: Proposal): Promise<boolean> {
  const { proposer, decider, ...rest } = proposal;
  const values = {
    ...rest,
    ...{ proposerType: proposer.type, proposerId: proposer.id, proposerName: proposer.name },
    ...decisionColumns(decider),
  };
  const rows = await db.insert(proposals).values(values).onConflictDoNothing().returning({ id: proposals.id });
  return rows.length > 0;
}

/** Held until the transaction ends: of two who decide at once the second finds it decided. */
export async function lockProposal(db: Database, id: string): Promise<Proposal | null> {
  const [row] = await db.select().from(proposals).where(eq(proposals.id, id)).for("update");
  return row ? fromRow(row) : null;
}

/** Decides an open proposal; its row is locked by then. */
export async function decideProposal(
  db: Database,
  id: string,
  decision: { outcome: "carried_out" | "withdrawn"; decider: NamedDecider; decidedAt: Date },
): Promise<void> {
  const { outcome, decider, decidedAt } = decision;
  await db
    .update(proposals)
    .set({ outcome, decidedAt, ...decisionColumns(decider) })
    .where(and(eq(proposals.id, id), eq(proposals.outcome, "open")));
}

/** Those that await somebody, the oldest first. */
export async function listOpenProposals(db: Database, limit: number): Promise<Proposal[]> {
  const rows = await db
    .select()
    .from(proposals)
    .where(eq(proposals.outcome, "open"))
    .orderBy(asc(proposals.proposedAt), asc(proposals.id))
    .limit(limit);
  return rows.map(fromRow);
}

/** Those that were decided, the newest first. */
export async function listDecidedProposals(db: Database, limit: number): Promise<Proposal[]> {
  const rows = await db
    .select()
    .from(proposals)
    .where(ne(proposals.outcome, "open"))
    .orderBy(desc(proposals.proposedAt), desc(proposals.id))
    .limit(limit);
  return rows.map(fromRow);
}

function decisionColumns(decider: NamedDecider | null) {
  return { deciderType: decider?.type ?? null, deciderId: decider?.id ?? null, deciderName: decider?.name ?? null };
}

function fromRow({
  proposerType,
  proposerId,
  proposerName,
  deciderType,
  deciderId,
  deciderName,
  ...row
}: typeof proposals.$inferSelect): Proposal {
  const isDecided = deciderType !== null && deciderId !== null && deciderName !== null;
  return {
    ...row,
    proposer: { type: proposerType, id: proposerId, name: proposerName },
    decider: isDecided ? { type: deciderType, id: deciderId, name: deciderName } : null,
  };
}
