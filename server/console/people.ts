import {
  acceptInput,
  invitationInput,
  invitationLink,
  oneInvitation,
  onePerson,
  peopleFilter,
  renderInvitation,
  renderPeople,
  roleInput,
} from "#contract/console/people.ts";
import { instant } from "#contract/primitives.ts";
import { listPermissions, mayAsOperator, mayAsPartner } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { actorOf } from "#server/console/trpc/context.ts";
import { operatorProcedure, personProcedure, publicProcedure, router } from "#server/console/trpc/init.ts";
import { listPartners } from "#server/services/partners/list-partners.ts";
import { changeRole } from "#server/services/people/change-role.ts";
import { disablePerson } from "#server/services/people/disable-person.ts";
import { enablePerson } from "#server/services/people/enable-person.ts";
import { acceptInvitation } from "#server/services/people/invitations/accept-invitation.ts";
import { invitePerson } from "#server/services/people/invitations/invite-person.ts";
import { readInvitation } from "#server/services/people/invitations/read-invitation.ts";
import { withdrawInvitation } from "#server/services/people/invitations/withdraw-invitation.ts";
import { listPeople } from "#server/services/people/list-people.ts";
import { resetTotp } from "#server/services/people/second-factor/reset-totp.ts";

/** For who manages people: the operator's admins, and a partner's owners for their own partner. To a partner's staff there is no such thing. */
const manager = personProcedure.meta({ audience: "manager" }).use(({ ctx, next }) => {
  const actor = actorOf(ctx.holder);
  if (mayAsOperator(actor, "administer") || mayAsPartner(actor, "manage_people")) return next();
  throw actor.partnerId === null ? new Refusal("forbidden", { detail: "Your role does not include this." }) : new Refusal("not_found");
});
/** More than a choice can hold are found on their own page. */
const MOST_PARTNERS = 500;

/** Users, what they may do, and who is invited to become one. */
export const peopleRouter = router({
  list: manager.input(peopleFilter).query(async ({ ctx: { services, holder }, input }) => {
    const { partnerId } = holder;
    const asked = input.of ?? "operator";
    const of = partnerId !== null ? { partnerId } : asked === "operator" || asked === "partners" ? asked : { partnerId: asked };
    return renderPeople(await listPeople(services, { of, text: input.text ?? null }), services.clock.now());
  }),

  /** Which role may do what, of the asker's side; an operator sees both. */
  permissions: manager.query(({ ctx: { holder } }) => {
    const isOwn = (roles: readonly string[]) => holder.partnerId === null || roles.includes(holder.role);
    return listPermissions().filter(({ roles }) => isOwn(roles));
  }),

  /** Of whom people may be, by name. */
  partners: operatorProcedure("administer").query(async ({ ctx: { services } }) => {
    const { items } = await listPartners(services, { skip: 0, limit: MOST_PARTNERS });
    return items.map(({ id, name }) => ({ id, name })).toSorted((left, right) => left.name.localeCompare(right.name));
  }),

  changeRole: manager.input(roleInput).mutation(async ({ ctx: { services, by }, input }) => {
    return { proposal_id: await changeRole(services, { by, userId: input.user_id, role: input.role }) };
  }),

  disable: manager.input(onePerson).mutation(async ({ ctx: { services, by }, input }) => {
    await disablePerson(services, { by, userId: input.user_id });
    return {};
  }),

  enable: manager.input(onePerson).mutation(async ({ ctx: { services, by }, input }) => {
    await enablePerson(services, { by, userId: input.user_id });
    return {};
  }),

  resetTwoFactors: manager.input(onePerson).mutation(async ({ ctx: { services, by }, input }) => {
    await resetTotp(services, { by, userId: input.user_id });
    return {};
  }),

  /** The link is told this once. */
  invite: manager.input(invitationInput).mutation(async ({ ctx: { services, by, holder, settings }, input }) => {
    // A partner's owner invites to its own partner, whether it names it or not.
    const partnerId = holder.partnerId ?? input.partner_id;
    const { id, token, expiresAt, proposalId } = await invitePerson(services, { by, email: input.email, role: input.role, partnerId });
    return { id, link: `${settings.baseUrl}/console/invitation/${token}`, expires_at: instant(expiresAt), proposal_id: proposalId };
  }),

  withdraw: manager.input(oneInvitation).mutation(async ({ ctx: { services, by }, input }) => {
    await withdrawInvitation(services, { by, invitationId: input.invitation_id });
    return {};
  }),

  /** For who holds a link: nobody is signed in yet. */
  invitation: publicProcedure.input(invitationLink).query(async ({ ctx: { services }, input }) => {
    return renderInvitation(await readInvitation(services, input.token));
  }),

  accept: publicProcedure.input(acceptInput).mutation(async ({ ctx: { services, requestId }, input }) => {
    return await acceptInvitation(services, { ...input, requestId });
  }),
});
