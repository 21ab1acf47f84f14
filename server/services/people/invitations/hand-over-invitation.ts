import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { claimInvitationToMail, findNewestInvitation, putInvitationToken, settleInvitationMail } from "#db/queries/people/invitations.ts";
import { SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { invitationTokenHash, newInvitationToken } from "#domain/secrets.ts";
import type { Uses } from "#server/context.ts";

/** How a link reaches its person where no one else may hold it: the proposer could become the second person by following it. */

type Place = { baseUrl: string; brand: string };

const RETRY_MS = 60_000;

const linkOf = ({ baseUrl }: Pick<Place, "baseUrl">, token: string) => `${baseUrl}/console/invitation/${token}`;

/**
 * Mails one due invitation to its address. The token is made here: no person, no other process and no row has it. A try that did not
 * succeed is repeated with another link, so the newest mail's link is the one that works.
 *
 * @returns whether there was one
 */
export async function mailInvitation(ctx: Uses<"db" | "clock" | "mailer" | "log">, place: Place): Promise<boolean> {
  if (!ctx.mailer.available) return false;
  const token = newInvitationToken();
  const tokenHash = invitationTokenHash(token);
  const now = ctx.clock.now();
  const claimed = await claimInvitationToMail(ctx.db, { tokenHash, now, again: new Date(now.getTime() + RETRY_MS) });
  if (claimed === null) return false;
  const { id, email, role, expiresAt } = claimed;
  const text = [
    `You are invited to ${place.brand}, as: ${role}.`,
    "Follow this link to set your name and your password. It works once. Anyone who has it becomes the user, so pass it on to nobody.",
    linkOf(place, token),
    `It works until ${expiresAt.toISOString()}. If you do not expect this invitation, do not follow the link, and tell the operator of the service.`,
  ].join("\n\n");
  const sent = await ctx.mailer.send({
    id: `${id}.${tokenHash.slice(0, 12)}`,
    to: email,
    subject: `${place.brand}: your invitation`,
    text,
  });
  if (sent.outcome === "sent") await settleInvitationMail(ctx.db, { id, tokenHash });
  else ctx.log.warn({ invitation_id: id, trouble: sent.trouble }, "an invitation could not be mailed, and is tried again");
  return true;
}

/**
 * A new link for the newest open invitation of an address, for the person who runs the machine and hands it over. Former links no longer work.
 *
 * @throws Refusal `not_found`
 */
export async function printInvitationLink(
  ctx: Uses<"db" | "clock">,
  { email, ...place }: { email: string } & Pick<Place, "baseUrl">,
): Promise<{ link: string; expiresAt: Date }> {
  const token = newInvitationToken();
  return await ctx.db.transaction(async (tx) => {
    const found = await findNewestInvitation(tx, email.trim().toLowerCase(), ctx.clock.now());
    if (found === null) throw new Refusal("not_found", { detail: "No invitation of that address is open. Is it confirmed?" });
    const { id, partnerId, expiresAt } = found;
    await putInvitationToken(tx, id, invitationTokenHash(token));
    await insertAuditEntry(tx, { by: SYSTEM, partnerId, action: "invitation.link_printed", objectId: id, change: { made_on: "machine" } });
    return { link: linkOf(place, token), expiresAt };
  });
}
