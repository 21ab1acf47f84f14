import { findOpenInvitation } from "#db/queries/invitations.ts";
import type { Uses } from "#server/context.ts";
import { invitationTokenHash } from "#server/domain/invitation.ts";
import type { ListedInvitation } from "#server/domain/person.ts";
import { Refusal } from "#server/domain/refusal.ts";

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
