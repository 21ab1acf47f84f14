import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { endPasswordSessions } from "#db/queries/identity-providers/identities.ts";
import {
  insertProvider,
  listProviders,
  listWaitingProviders,
  lockProvider,
  type ProviderRecord,
  updateProvider,
} from "#db/queries/identity-providers/providers.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findRoleSince } from "#db/queries/people/ownership.ts";
import { countPasskeys } from "#db/queries/people/passkeys.ts";
import { findUser } from "#db/queries/people/users.ts";
import { type By, type ByPerson, fitsSide } from "#domain/access.ts";
import { hashOf, newDirectoryToken, type ProviderSettings } from "#domain/identity-provider.ts";
import { type Fault, Refusal } from "#domain/refusal.ts";
import { clientSecretOf, draftSecretOf } from "#domain/sealed-place.ts";
import { OLD_ENOUGH_MS, refuseUnlessConfirmed } from "#domain/two-people.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { refuseUnlessManager } from "#server/services/people/lock-managed-person.ts";

type Powers = Uses<"db" | "clock" | "mode" | "vault" | "callbacks">;

export type SaveProvider = {
  by: ByPerson;
  /** Left out: a new one. */
  providerId?: string | undefined;
  /** Only of a new one. */
  slug: string;
  settings: ProviderSettings;
  /** Left out: as before. */
  clientSecret?: string | undefined;
};

/** A side's providers, and with an operator's admin the partners' changes that wait for somebody. */
export async function readProviders(ctx: Uses<"db">, partnerId: string | null) {
  return { providers: await listProviders(ctx.db, partnerId), waiting: partnerId === null ? await listWaitingProviders(ctx.db) : [] };
}

/**
 * Saves a provider of the person's own side. In live mode the change waits for a second person; what is in force stays until then. Returns
 * the provider's id.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `validation_failed`, `conflict` when the slug is taken.
 */
export async function saveProvider(ctx: Powers, { by, providerId, slug, settings, clientSecret }: SaveProvider): Promise<string> {
  const { partnerId, userId } = by.actor;
  const now = ctx.clock.now();
  const verdict = await ctx.callbacks.judge(settings.issuer);
  return await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    await refuseFaulty({ ...ctx, db: tx }, settings, partnerId, verdict.verdict === "allowed" || isSandboxLoopback(ctx, settings.issuer));
    const id = providerId ?? randomUUID();
    if (providerId === undefined && !(await insertProvider(tx, { id, partnerId, slug, createdAt: now })))
      throw new Refusal("conflict", { detail: "Another company has this short name already." });
    const provider = await lockOwn(tx, partnerId, id);
    const sealed = clientSecret === undefined ? reopened(ctx, provider) : clientSecret;
    const draft = { draft: settings, draftedBy: userId, draftedAt: now };
    await updateProvider(tx, id, { ...draft, sealedDraftSecret: sealed === null ? null : ctx.vault.seal(sealed, draftSecretOf(id)) });
    const change = {
      name: settings.name,
      issuer: settings.issuer,
      client_id: settings.clientId,
      roles: settings.roles,
      duty: settings.isDuty,
    };
    await insertAuditEntry(tx, { by, partnerId, action: "identity_provider.proposed", objectId: id, change });
    if (ctx.mode === "sandbox") await putInForce({ ...ctx, db: tx }, by, await lockOwn(tx, partnerId, id));
    return id;
  });
}

function reopened({ vault }: Uses<"vault">, { id, sealedClientSecret: sealed }: ProviderRecord): string | null {
  return sealed === null ? null : vault.open(sealed, clientSecretOf(id));
}

/** As the guard of requests has it: the sandbox's own machine. */
function isSandboxLoopback({ mode }: Uses<"mode">, issuer: string): boolean {
  return mode === "sandbox" && URL.canParse(issuer) && ["localhost", "127.0.0.1"].includes(new URL(issuer).hostname);
}

/**
 * Puts a proposed change in force: in live mode by a second person of the same side, or for a partner by an operator's admin, with a second
 * factor. Neither is younger than a day, and somebody else has confirmed the devices of those who are the operator's.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` when nothing waits, `same_approver`.
 */
export async function confirmProvider(
  ctx: Powers,
  { by, providerId, expected }: { by: ByPerson; providerId: string; expected: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    const provider = await lockManaged(tx, by, providerId);
    if (provider.draft === null || provider.draftedAt?.toISOString() !== expected) throw new Refusal("not_found");
    const now = await readBusinessNow(tx);
    for (const id of [provider.draftedBy ?? "", by.actor.userId]) {
      const person = await findUser(tx, id);
      if (person === null || person.disabledAt !== null || now.getTime() - ((await findRoleSince(tx, id)) ?? now).getTime() < OLD_ENOUGH_MS)
        throw new Refusal("same_approver", { detail: "Both people must have had access for at least a day. Another person must decide." });
      // A partner's owners have nobody who confirms their devices.
      if (person.partnerId === null) refuseUnlessConfirmed(ctx.mode, { isConfirmed: person.deviceConfirmedAt !== null });
    }
    if (provider.draftedBy === by.actor.userId)
      throw new Refusal("same_approver", { detail: "You proposed this change. Another person must decide." });
    if (by.proof?.byCode !== true)
      throw new Refusal("step_up_required", { detail: "This requires a second factor entered within the last five minutes." });
    await refuseFaulty({ ...ctx, db: tx }, provider.draft, provider.partnerId, true);
    await putInForce({ ...ctx, db: tx }, by, provider);
  });
}

async function putInForce(
  ctx: Powers,
  by: By,
  { id, partnerId, draft, sealedDraftSecret, settings: before }: ProviderRecord,
): Promise<void> {
  if (draft === null) throw new Error("there is nothing to put in force");
  const { db: tx } = ctx;
  const secret = sealedDraftSecret === null ? null : ctx.vault.open(sealedDraftSecret, draftSecretOf(id));
  const sealedClientSecret = secret === null ? null : ctx.vault.seal(secret, clientSecretOf(id));
  await updateProvider(tx, id, {
    settings: draft,
    sealedClientSecret,
    draft: null,
    sealedDraftSecret: null,
    draftedBy: null,
    draftedAt: null,
  });
  const change = { name: draft.name, issuer: draft.issuer, client_id: draft.clientId, roles: draft.roles, duty: draft.isDuty };
  await insertAuditEntry(tx, { by, partnerId, action: "identity_provider.changed", objectId: id, change });
  // This ends every other session that a password opened.
  if (draft.isDuty && before?.isDuty !== true && by.actor.type === "user")
    await endPasswordSessions(tx, { partnerId, but: [...draft.keeperIds, by.actor.userId], now: ctx.clock.now() });
}

/**
 * Removes a provider, or withdraws the change that waits: nobody can sign in with it any more, and a duty ends. An operator's admin may
 * also do that for a partner.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`.
 */
export async function removeProvider(
  ctx: Powers,
  { by, providerId, onlyDraft }: { by: ByPerson; providerId: string; onlyDraft: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    const { settings, draft, partnerId } = await lockManaged(tx, by, providerId);
    const nothingWaits = { draft: null, sealedDraftSecret: null, draftedBy: null, draftedAt: null };
    const gone = { removedAt: ctx.clock.now(), sealedClientSecret: null, directoryTokenHash: null };
    // What was never in force has no other end.
    const isRemoved = !onlyDraft || settings === null;
    await updateProvider(tx, providerId, { ...nothingWaits, ...(isRemoved && gone) });
    const action = isRemoved ? "identity_provider.removed" : "identity_provider.withdrawn";
    await insertAuditEntry(tx, { by, partnerId, action, objectId: providerId, change: { name: (settings ?? draft)?.name } });
  });
}

/**
 * Makes the bearer token of a provider's directory (SCIM), shown only once and stored hashed. The one before ends.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` also before the provider is in force.
 */
export async function makeDirectoryToken(ctx: Powers, { by, providerId }: { by: ByPerson; providerId: string }): Promise<string> {
  const token = newDirectoryToken();
  await ctx.db.transaction(async (tx) => {
    await refuseUnlessManager({ ...ctx, db: tx }, by);
    const { partnerId } = by.actor;
    const { settings } = await lockOwn(tx, partnerId, providerId);
    if (settings === null) throw new Refusal("not_found");
    await updateProvider(tx, providerId, { directoryTokenHash: hashOf(token) });
    const change = { name: settings.name };
    await insertAuditEntry(tx, { by, partnerId, action: "identity_provider.directory_token_made", objectId: providerId, change });
  });
  return token;
}

async function lockOwn(tx: Uses<"db">["db"], partnerId: string | null, id: string): Promise<ProviderRecord> {
  const provider = isUuid(id) ? await lockProvider(tx, id) : null;
  if (provider === null || provider.partnerId !== partnerId) throw new Refusal("not_found");
  return provider;
}

/** One of the actor's own side; an operator's admin manages everybody's. */
async function lockManaged(tx: Uses<"db">["db"], { actor }: ByPerson, id: string): Promise<ProviderRecord> {
  const provider = isUuid(id) ? await lockProvider(tx, id) : null;
  if (provider === null || (actor.partnerId !== null && provider.partnerId !== actor.partnerId)) throw new Refusal("not_found");
  return provider;
}

/** @throws Refusal `validation_failed`. */
async function refuseFaulty(ctx: Uses<"db">, settings: ProviderSettings, partnerId: string | null, mayReach: boolean): Promise<void> {
  const errors: Fault[] = [];
  const fault = (pointer: string, message: string) => errors.push({ pointer, code: "invalid", message });
  if (!mayReach) fault("/issuer", "must be an https address on the public internet");
  settings.roles.forEach(({ role }, index) => {
    if (!fitsSide(role, partnerId)) fault(`/roles/${index}/role`, "must be a role of your own side");
  });
  const keepers = [...new Set(settings.keeperIds)];
  if (settings.isDuty && keepers.length !== 2) fault("/keeper_ids", "must name two people");
  let managers = 0;
  for (const id of keepers) {
    const person = isUuid(id) ? await findUser(ctx.db, id) : null;
    if (person?.role === "admin" || person?.role === "owner") managers += 1;
    if (person === null || person.partnerId !== partnerId || person.disabledAt !== null)
      fault("/keeper_ids", "must be people of your own side");
    else if (settings.isDuty && (await countPasskeys(ctx.db, id)) === 0) fault("/keeper_ids", `${person.name} has no passkey yet`);
  }
  // On the day the provider is gone, one of them ends the duty.
  if (settings.isDuty && managers === 0) fault("/keeper_ids", "must name at least one person who manages people");
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
}
