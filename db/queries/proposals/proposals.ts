import { and, asc, desc, eq, inArray, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { PERSON_COLUMNS } from "#db/queries/people/users.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { users } from "#db/schema/people.ts";
import { proposals } from "#db/schema/proposals.ts";
import type { UserRole } from "#domain/access.ts";
import type { Decider, NamedDecider, Proposal } from "#domain/approval.ts";
import { MACHINE, type Voter } from "#domain/two-people.ts";

/** Returns false, and adds nothing, while another one of the same kind and subject is open. */
export async function insertProposal(db: Database, proposal: Proposal): Promise<boolean> {
  const { proposer, decider, ...rest } = proposal;
  const values = {
    ...rest,
    proposerType: proposer.type,
    proposerId: proposer.id,
    proposerName: proposer.name,
    ...decisionColumns(decider),
  };
  const { count } = await db.insert(proposals).values(values).onConflictDoNothing();
  return count > 0;
}

export async function findProposal(db: Database, id: string): Promise<Proposal | null> {
  const [row] = await db.select().from(proposals).where(eq(proposals.id, id));
  return row ? fromRow(row) : null;
}

/** The one of that kind and subject that awaits a second person. */
export async function findOpenProposal(db: Database, kind: string, subject: string): Promise<Proposal | null> {
  const [row] = await db
    .select()
    .from(proposals)
    .where(and(eq(proposals.kind, kind), eq(proposals.subject, subject), eq(proposals.outcome, "open")));
  return row ? fromRow(row) : null;
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

/** Who has proposed that this person decides, as whom they count: the account, an invitation to it, or its role. */
export async function listProposersOf(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ principal: sql<string>`coalesce(${apiKeys.madeBy}, ${proposals.proposerId})` })
    .from(proposals)
    .leftJoin(apiKeys, eq(apiKeys.id, proposals.proposerId))
    .where(
      and(eq(proposals.subject, userId), inArray(proposals.kind, ["operator", "invitation", "role"]), eq(proposals.outcome, "carried_out")),
    );
  return rows.map(({ principal }) => principal);
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

/** An operator's user or key that may take part in decisions, with its present permissions. */
export type KnownVoter = Voter & {
  name: string;
  /** The person, or the person who created the key; null: the key was created on the machine. */
  role: UserRole | null;
  /** When they were shut out, or the key ended (real time). */
  endedAt: Date | null;
};

/** The identity that counts for decisions, and since when; null if unknown, or a partner's. */
export async function findVoter(db: Database, { type, id }: Decider): Promise<KnownVoter | null> {
  return type === "user" ? await findPersonAsVoter(db, id) : await findKeyAsVoter(db, id);
}

async function findPersonAsVoter(db: Database, id: string): Promise<KnownVoter | null> {
  const hasPasskey = sql`has_passkey(${users.id})`.mapWith(Boolean);
  const [row] = await db.select({ user: PERSON_COLUMNS, hasPasskey }).from(users).where(eq(users.id, id));
  if (row === undefined || row.user.partnerId !== null) return null;
  const { name, role, createdAt: since, disabledAt: endedAt, hasTotp, deviceConfirmedAt } = row.user;
  const hasSecondFactor = hasTotp || row.hasPasskey;
  return { principal: id, isPerson: true, since, hasSecondFactor, isConfirmed: deviceConfirmedAt !== null, name, role, endedAt };
}

async function findKeyAsVoter(db: Database, id: string): Promise<KnownVoter | null> {
  const [row] = await db
    .select({
      name: apiKeys.name,
      partnerId: apiKeys.partnerId,
      madeBy: apiKeys.madeBy,
      since: sql`greatest(${apiKeys.createdAt}, ${users.createdAt})`.mapWith(apiKeys.createdAt),
      endedAt: sql`least(${apiKeys.revokedAt}, ${apiKeys.expiresAt}, ${users.disabledAt})`.mapWith(apiKeys.createdAt),
      role: users.role,
      confirmedAt: users.deviceConfirmedAt,
    })
    .from(apiKeys)
    .leftJoin(users, eq(users.id, apiKeys.madeBy))
    .where(eq(apiKeys.id, id));
  if (row === undefined || row.partnerId !== null) return null;
  const { name, since, role, endedAt, madeBy, confirmedAt } = row;
  const isConfirmed = madeBy === null || confirmedAt !== null;
  return { principal: madeBy ?? MACHINE, isPerson: false, since, hasSecondFactor: false, isConfirmed, name, role, endedAt };
}
