import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { isDecider, listPermissions, mayAsOperator, mayAsPartner, OPERATOR_ROLES, PARTNER_STAFF_ROLES } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { hasSecondFactor } from "#domain/session.ts";
import { actorOf } from "#server/console/trpc/context.ts";
import { operatorProcedure, personProcedure, publicProcedure, router } from "#server/console/trpc/init.ts";
import { listPartners } from "#server/services/partners/read-partners.ts";
import { acceptInvitation, readInvitation, withdrawInvitation } from "#server/services/people/invitations/invitations.ts";
import { invitePerson } from "#server/services/people/invitations/invite-person.ts";
import { changeRole, disablePerson, enablePerson, endSessionsOf } from "#server/services/people/manage-people.ts";
import { listPeople, type People } from "#server/services/people/read-people.ts";
import { confirmDevices, readDevicesOf } from "#server/services/people/second-factor/confirm-device.ts";
import { resetFactors } from "#server/services/people/second-factor/totp.ts";
import { done } from "./done.ts";

const role = z.enum([...OPERATOR_ROLES, ...PARTNER_STAFF_ROLES]);
const email = z.email({ error: "must be an e-mail address" }).max(254);
const token = z.string().regex(/^inv_[A-Za-z0-9_-]{43}$/, { error: "is no invitation" });
const user_id = z.string().max(64);
const onePerson = fromWire({ user_id });
const peopleFilter = fromWire({
  /** Left out: the asker's own side. Only an operator may ask for another. */
  of: z.union([z.literal("operator"), z.literal("partners"), z.uuid()]).optional(),
  text: plainText(1, 128).optional(),
});

/** For users who manage people: the operator's admins, and a partner's owners for their own partner. Hidden from a partner's staff. */
const manager = personProcedure.meta({ audience: "manager" }).use(({ ctx, next }) => {
  const actor = actorOf(ctx.holder);
  if (mayAsOperator(actor, "administer") || mayAsPartner(actor, "manage_people")) return next();
  throw actor.partnerId === null ? new Refusal("forbidden", { detail: "Your role does not include this." }) : new Refusal("not_found");
});
/** Entries beyond a choice's limit are found on their own page. */
const MOST_PARTNERS = 500;

/** Users, their permissions, and open invitations. */
export const peopleRouter = router({
  list: manager.input(peopleFilter).query(async ({ ctx: { services, holder }, input }) => {
    const { partnerId } = holder;
    const asked = input.of ?? "operator";
    const of = partnerId !== null ? { partnerId } : asked === "operator" || asked === "partners" ? asked : { partnerId: asked };
    const { people, more, invitations } = await listPeople(services, { of, text: input.text ?? null });
    const now = services.clock.now();
    return {
      people: people.map(renderPerson),
      more,
      invitations: invitations.map((invitation) => ({ ...renderInvitation(invitation), lapsed: invitation.expiresAt <= now })),
    };
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

  changeRole: manager.input(fromWire({ user_id, role })).mutation(async ({ ctx: { services, by }, input }) => {
    return { proposal_id: await changeRole(services, { by, ...input }) };
  }),

  disable: manager.input(onePerson).mutation(({ ctx: { services, by }, input }) => done(disablePerson(services, { by, ...input }))),

  enable: manager.input(onePerson).mutation(({ ctx: { services, by }, input }) => done(enablePerson(services, { by, ...input }))),

  /** The person may sign in again. */
  endSessions: manager.input(onePerson).mutation(({ ctx: { services, by }, input }) => done(endSessionsOf(services, { by, ...input }))),

  resetTwoFactors: manager.input(onePerson).mutation(({ ctx: { services, by }, input }) => done(resetFactors(services, { by, ...input }))),

  /** The devices of one of the operator's people: the one who confirms them compares them with what the person says. */
  devices: operatorProcedure("administer")
    .meta({ managesPeople: true })
    .input(onePerson)
    .query(async ({ ctx: { services }, input }) => {
      const { devices, ...person } = await readDevicesOf(services, input.userId);
      const shown = devices.map((device) => toWire(device, "name", "addedAt", "address", "userAgent"));
      return { ...toWire(person, "name", "email", "confirmedAt", "seen"), devices: shown };
    }),

  /** In live mode nobody decides before somebody else has confirmed their devices. */
  confirmDevices: operatorProcedure("administer")
    .meta({ managesPeople: true })
    .input(fromWire({ user_id, seen: z.string().max(64) }))
    .mutation(({ ctx: { services, by }, input }) => done(confirmDevices(services, { by, ...input }))),

  /** The link is shown only once; null: it goes to the address alone, by mail where this installation sends any. */
  invite: manager
    .input(fromWire({ email, role, partner_id: z.uuid().nullable() }))
    .mutation(async ({ ctx: { services, by, holder, settings }, input }) => {
      // A partner's owner invites to its own partner, whether it names it or not.
      const partnerId = holder.partnerId ?? input.partnerId;
      const invited = await invitePerson(services, { by, ...input, partnerId });
      const link = invited.token === null ? null : `${settings.baseUrl}/console/invitation/${invited.token}`;
      return { ...toWire(invited, "id", "expiresAt", "proposalId"), link, mailed: services.mailer.available };
    }),

  withdraw: manager
    .input(fromWire({ invitation_id: z.string().max(64) }))
    .mutation(({ ctx: { services, by }, input }) => done(withdrawInvitation(services, { by, ...input }))),

  /** For the holder of an invitation link: nobody is signed in yet. */
  invitation: publicProcedure.input(fromWire({ token })).query(async ({ ctx: { services }, input }) => {
    return renderInvitation(await readInvitation(services, input.token));
  }),

  accept: publicProcedure
    .input(fromWire({ token, name: plainText(1, 128), password: plainText(12, 256) }))
    .mutation(async ({ ctx: { services, requestId }, input }) => await acceptInvitation(services, { ...input, requestId })),
});

function renderPerson(person: People["people"][number]) {
  return {
    ...toWire(person, "id", "email", "name", "role", "createdAt", "lastActiveAt", "disabledAt"),
    partner: partnerOf(person),
    two_factors: hasSecondFactor(person),
    /** null: the person decides nothing, or has no device yet. */
    device_confirmed: isDecider(person.role) && hasSecondFactor(person) ? person.deviceConfirmedAt !== null : null,
  };
}

function renderInvitation(invitation: People["invitations"][number]) {
  return {
    ...toWire(invitation, "id", "email", "role", "createdAt", "expiresAt"),
    partner: partnerOf(invitation),
    invited_by: invitation.inviterName ?? "the operator",
  };
}

function partnerOf({ partnerId, partnerName }: { partnerId: string | null; partnerName: string | null }) {
  return partnerId === null ? null : { id: partnerId, name: partnerName ?? "" };
}
