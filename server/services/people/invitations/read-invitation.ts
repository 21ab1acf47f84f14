import { findOpenInvitation } from "#db/queries/people/invitations.ts";
import { invitationTokenHash } from "#domain/invitation.ts";
import type { ListedInvitation } from "#domain/person.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * What a link invites to. Whoever has the link may ask.
 *
 * @throws Refusal `not_found` for one that was followed, was withdrawn, has run out or never was.
 */
export async function readInvitation(ctx: Uses<"db" | "clock">, token: string): Promise<ListedInvitation> {
  const found = await findOpenInvitation(ctx.db, invitationTokenHash(token), ctx.clock.now());
  if (found === null) throw new Refusal("not_found", { detail: "The invitation was used, was withdrawn or has run out." });
  return found;
}
