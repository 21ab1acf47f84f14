import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { mayAsOperator, mayAsPartner, OPERATOR_ROLES, PARTNER_STAFF_ROLES } from "#domain/access.ts";
import { consolePageOf } from "#domain/console-page.ts";
import { addressesOf, type ProviderSettings } from "#domain/identity-provider.ts";
import { Refusal } from "#domain/refusal.ts";
import { actorOf } from "#server/console/trpc/context.ts";
import { personProcedure, publicProcedure, router, signedInProcedure } from "#server/console/trpc/init.ts";
import { beginLink, beginStepUp, listSignInChoices } from "#server/services/identity-providers/ask-provider.ts";
import {
  confirmProvider,
  makeDirectoryToken,
  readProviders,
  removeProvider,
  saveProvider,
} from "#server/services/identity-providers/manage-providers.ts";
import { listOwnIdentities, unlinkIdentity } from "#server/services/identity-providers/own-identities.ts";
import { done } from "./done.ts";

const provider_id = z.string().max(64);
const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{1,39}$/, { error: "must be 2 to 40 lower-case letters, digits and hyphens" });
const settings = fromWire({
  name: plainText(1, 60),
  issuer: z.url({ protocol: /^https?$/, error: "must be a URL" }).max(300),
  client_id: plainText(1, 200),
  groups_claim: plainText(1, 100),
  roles: z.array(z.strictObject({ group: plainText(1, 200), role: z.enum([...OPERATOR_ROLES, ...PARTNER_STAFF_ROLES]) })).max(50),
  demanded_acr: plainText(1, 200).nullable(),
  is_duty: z.boolean(),
  keeper_ids: z.array(z.uuid()).max(2),
});
const saved = fromWire({
  provider_id: provider_id.optional(),
  slug,
  settings,
  client_secret: plainText(1, 500).optional(),
});

/** For users who manage people. Hidden from a partner's staff. */
const manager = personProcedure.meta({ audience: "manager" }).use(({ ctx, next }) => {
  const actor = actorOf(ctx.holder);
  if (mayAsOperator(actor, "administer") || mayAsPartner(actor, "manage_people")) return next();
  throw actor.partnerId === null ? new Refusal("forbidden", { detail: "Your role does not include this." }) : new Refusal("not_found");
});

/** Companies' identity providers, and people's own identities. */
export const identityRouter = router({
  /** What the sign-in page offers. */
  choices: publicProcedure
    .input(z.strictObject({ company: slug.optional() }))
    .query(({ ctx: { services }, input }) => listSignInChoices(services, input.company ?? null)),

  list: manager.query(async ({ ctx: { services, holder, settings: installation } }) => {
    const { providers, waiting } = await readProviders(services, holder.partnerId);
    return {
      providers: providers.map((each) => renderProvider(each, installation.baseUrl)),
      waiting: waiting.map((each) => ({ ...renderProvider(each, installation.baseUrl), partner: each.partnerName })),
    };
  }),

  save: manager.input(saved).mutation(async ({ ctx: { services, by }, input }) => {
    return { id: await saveProvider(services, { by, ...input }) };
  }),

  /** `expected`: when the change was proposed, as it was shown. */
  confirm: manager
    .input(fromWire({ provider_id, expected: z.string().max(40) }))
    .mutation(({ ctx: { services, by }, input }) => done(confirmProvider(services, { by, ...input }))),

  remove: manager
    .input(fromWire({ provider_id, only_draft: z.boolean() }))
    .mutation(({ ctx: { services, by }, input }) => done(removeProvider(services, { by, ...input }))),

  /** The token is shown only once. */
  makeDirectoryToken: manager.input(fromWire({ provider_id })).mutation(async ({ ctx: { services, by }, input }) => {
    return { token: await makeDirectoryToken(services, { by, ...input }) };
  }),

  /** A person's own identities, and the providers that they can link. */
  own: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const { identities, providers } = await listOwnIdentities(services, holder);
    return { identities: identities.map((each) => toWire(each, "id", "provider", "createdAt", "lastUsedAt")), providers };
  }),

  /** Where the browser goes to link an identity. */
  beginLink: personProcedure.input(fromWire({ provider_id })).mutation(async ({ ctx: { services, by, holder }, input }) => {
    const ticket = await beginLink(services, { by, sessionId: holder.sessionId, ...input });
    return { path: pathOf(input.providerId, ticket) };
  }),

  unlink: personProcedure
    .input(z.strictObject({ id: z.string().max(64) }))
    .mutation(({ ctx: { services, by }, input }) => done(unlinkIdentity(services, { by, ...input }))),

  /** Where the browser goes to prove who its person is. */
  beginStepUp: signedInProcedure
    .meta({ stepUp: false })
    .input(z.strictObject({ target: z.string().max(1_000) }))
    .mutation(async ({ ctx: { services, holder }, input }) => {
      const { ticket, providerId } = await beginStepUp(services, { sessionId: holder.sessionId, target: consolePageOf(input.target) });
      return { path: pathOf(providerId, ticket) };
    }),
});

function pathOf(providerId: string, ticket: string): string {
  return `/api/oidc/start/${providerId}?${new URLSearchParams({ ticket })}`;
}

type Listed = Awaited<ReturnType<typeof readProviders>>["providers"][number];

function renderProvider({ provider, drafterName }: Listed, baseUrl: string) {
  const { id, slug: shortName, draft, draftedAt, directoryTokenHash, settings: inForce } = provider;
  const addresses = addressesOf(baseUrl, { id, company: provider.partnerId === null ? null : shortName });
  return {
    id,
    slug: shortName,
    in_force: inForce && renderSettings(inForce),
    draft: draft && { ...renderSettings(draft), by: drafterName ?? "", by_id: provider.draftedBy, at: draftedAt?.toISOString() ?? "" },
    has_secret: provider.sealedClientSecret !== null,
    has_directory: directoryTokenHash !== null,
    redirect_uri: addresses.redirect,
    sign_out_uri: addresses.signOut,
    directory_uri: addresses.directory,
    sign_in_uri: addresses.signIn,
  };
}

function renderSettings(settings: ProviderSettings) {
  return {
    ...toWire(settings, "name", "issuer", "clientId", "groupsClaim", "demandedAcr", "isDuty", "keeperIds"),
    roles: settings.roles.map(({ group, role }) => ({ group, role })),
  };
}
