import { and, desc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { invitations, users } from "#db/schema/people.ts";

type InvitationRecord = typeof invitations.$inferSelect;

/** Neither accepted nor withdrawn; it may have run out. */
const isOpen = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt));

export async function insertInvitation(db: Database, invitation: typeof invitations.$inferInsert): Promise<void> {
  await db.insert(invitations).values(invitation);
}

/** Whose link it is, if it still leads anywhere at `now` (real time). */
export async function findOpenInvitation(db: Database, tokenHash: string, now: Date): Promise<ListedInvitation | null> {
  const [row] = await shown(db, and(eq(invitations.tokenHash, tokenHash), isOpen, gt(invitations.expiresAt, now))).limit(1);
  return row ?? null;
}

/** Ends an invitation as accepted. Answers false when it was ended, or has run out: of two at once, one wins. */
export async function spendInvitation(db: Database, id: string, now: Date): Promise<boolean> {
  const { count } = await db
    .update(invitations)
    .set({ acceptedAt: now })
    .where(and(eq(invitations.id, id), isOpen, gt(invitations.expiresAt, now)));
  return count > 0;
}

/** Those that lead, or led, somewhere and were not followed, the newest first. */
export async function listOpenInvitations(
  db: Database,
  of: "operator" | "partners" | { partnerId: string },
  limit: number,
): Promise<ListedInvitation[]> {
  const whose =
    of === "operator"
      ? isNull(invitations.partnerId)
      : of === "partners"
        ? isNotNull(invitations.partnerId)
        : eq(invitations.partnerId, of.partnerId);
  return await shown(db, and(whose, isOpen)).orderBy(desc(invitations.createdAt), desc(invitations.id)).limit(limit);
}

/** Withdraws what of these is still open. Answers whom it was for. */
export async function withdrawInvitations(
  db: Database,
  which: { id: string; partnerId?: string } | { email: string; partnerId: string | null } | { invitedBy: string },
  now: Date,
): Promise<InvitationRecord[]> {
  const fits =
    "invitedBy" in which
      ? eq(invitations.invitedBy, which.invitedBy)
      : "id" in which
        ? and(eq(invitations.id, which.id), which.partnerId === undefined ? undefined : eq(invitations.partnerId, which.partnerId))
        : and(
            eq(invitations.email, which.email),
            which.partnerId === null ? isNull(invitations.partnerId) : eq(invitations.partnerId, which.partnerId),
          );
  return await db.update(invitations).set({ withdrawnAt: now }).where(and(fits, isOpen)).returning();
}

/** The next invitation to mail, with this link from now on; again at `again` unless the mail is settled. Times are real time. */
export async function claimInvitationToMail(
  db: Database,
  { tokenHash, now, again }: { tokenHash: string; now: Date; again: Date },
): Promise<InvitationRecord | null> {
  const due = db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(isOpen, gt(invitations.expiresAt, now), lte(invitations.mailDueAt, now)))
    .orderBy(invitations.mailDueAt)
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await db
    .update(invitations)
    .set({ tokenHash, mailDueAt: again })
    .where(eq(invitations.id, sql`(${due})`))
    .returning();
  return row ?? null;
}

/** The mail with that link went out. */
export async function settleInvitationMail(db: Database, { id, tokenHash }: { id: string; tokenHash: string }): Promise<void> {
  await db
    .update(invitations)
    .set({ mailDueAt: null })
    .where(and(eq(invitations.id, id), eq(invitations.tokenHash, tokenHash)));
}

export async function findNewestInvitation(db: Database, email: string, now: Date): Promise<InvitationRecord | null> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.email, email), isOpen, gt(invitations.expiresAt, now)))
    .orderBy(desc(invitations.createdAt))
    .limit(1)
    .for("update");
  return row ?? null;
}

/** Another link in place of the former one, and no mail. */
export async function putInvitationToken(db: Database, id: string, tokenHash: string): Promise<void> {
  await db.update(invitations).set({ tokenHash, mailDueAt: null }).where(eq(invitations.id, id));
}

function shown(db: Database, where: SQL | undefined) {
  const { id, email, role, partnerId, invitedBy, createdAt, expiresAt } = invitations;
  return (
    db
      .select({
        id,
        email,
        role,
        partnerId,
        invitedBy,
        createdAt,
        expiresAt,
        partnerName: partners.name,
        inviterName: users.name,
      })
      .from(invitations)
      // Partners' users do not see the names of operators' users.
      .leftJoin(users, eq(users.id, invitations.invitedBy))
      .leftJoin(partners, eq(partners.id, invitations.partnerId))
      .where(where)
      .$dynamic()
  );
}

/** An invitation. Times are real time. */
export type ListedInvitation = Awaited<ReturnType<typeof shown>>[number];
