import { z } from "zod";
import { instant, instantOrNull, plainText } from "#contract/primitives.ts";
import { OPERATOR_ROLES, PARTNER_STAFF_ROLES } from "#domain/access.ts";
import type { ListedInvitation, ListedPerson } from "#domain/person.ts";

/** What the pages about people ask, in wire names, and what they are answered. */

const role = z.enum([...OPERATOR_ROLES, ...PARTNER_STAFF_ROLES]);
const email = z.email({ error: "must be an e-mail address" }).max(254);
const newPassword = plainText(12, 256);
const personName = plainText(1, 128);
const code = z.string().min(6).max(12);
const invitationToken = z.string().regex(/^inv_[A-Za-z0-9_-]{43}$/, { error: "is no invitation" });

export const peopleFilter = z.strictObject({
  /** Left out: the asker's own side. Only an operator may ask for another. */
  of: z.union([z.literal("operator"), z.literal("partners"), z.uuid()]).optional(),
  text: plainText(1, 128).optional(),
});
export const onePerson = z.strictObject({ user_id: z.string().max(64) });
export const roleInput = z.strictObject({ user_id: z.string().max(64), role });
export const invitationInput = z.strictObject({ email, role, partner_id: z.uuid().nullable() });
export const oneInvitation = z.strictObject({ invitation_id: z.string().max(64) });
export const invitationLink = z.strictObject({ token: invitationToken });
export const acceptInput = z.strictObject({ token: invitationToken, name: personName, password: newPassword });

export const nameInput = z.strictObject({ name: personName });
export const passwordInput = z.strictObject({ current_password: z.string().min(1).max(1_024), new_password: newPassword });
export const codeInput = z.strictObject({ code });
export const viewInput = z.strictObject({ partner_id: z.string().max(64) });

export function renderPeople(
  { people, more, invitations }: { people: readonly ListedPerson[]; more: boolean; invitations: readonly ListedInvitation[] },
  now: Date,
) {
  return {
    people: people.map((person) => ({
      id: person.id,
      email: person.email,
      name: person.name,
      role: person.role,
      partner: partnerOf(person),
      two_factors: person.hasTotp,
      created_at: instant(person.createdAt),
      last_active_at: instantOrNull(person.lastActiveAt),
      disabled_at: instantOrNull(person.disabledAt),
    })),
    more,
    invitations: invitations.map((invitation) => ({ ...renderInvitation(invitation), lapsed: invitation.expiresAt <= now })),
  };
}

export function renderInvitation(invitation: ListedInvitation) {
  const { id, email: address, role: offered, inviterName, createdAt, expiresAt } = invitation;
  return {
    id,
    email: address,
    role: offered,
    partner: partnerOf(invitation),
    invited_by: inviterName,
    created_at: instant(createdAt),
    expires_at: instant(expiresAt),
  };
}

function partnerOf({ partnerId, partnerName }: { partnerId: string | null; partnerName: string | null }) {
  return partnerId === null ? null : { id: partnerId, name: partnerName ?? "" };
}
