import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  type DirectoryGroup,
  type DirectoryUser,
  deleteDirectoryGroup,
  deleteDirectoryUser,
  insertDirectoryGroup,
  insertDirectoryUser,
  isDirectoryGroupTaken,
  isDirectoryUserTaken,
  knownMembers,
  listDirectoryGroups,
  listDirectoryUsers,
  lockDirectoryGroup,
  lockDirectoryUser,
  updateDirectoryGroup,
  updateDirectoryUser,
} from "#db/queries/identity-providers/directory.ts";
import { findProvider, type ProviderInForce } from "#db/queries/identity-providers/providers.ts";
import { type By, SYSTEM } from "#domain/access.ts";
import type { DirectoryFilter } from "#domain/directory.ts";
import { hashOf } from "#domain/identity-provider.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { recordRefused } from "./record-refused.ts";
import { followDirectory, LastWayIn } from "./shut-out.ts";

export type { DirectoryGroup, DirectoryUser } from "#db/queries/identity-providers/directory.ts";
export type { ProviderInForce } from "#db/queries/identity-providers/providers.ts";

type Powers = Uses<"db" | "clock">;
/** A directory's request. */
export type OfDirectory = { provider: ProviderInForce; address: string; requestId: string | null };

export type UserContent = { userName: string; externalId: string | null; active: boolean; attributes: Record<string, unknown> };
export type GroupContent = { displayName: string; externalId: string | null; members: string[] };

/** Whose directory has the bearer token; null: no directory has it. */
export async function authenticateDirectory(ctx: Uses<"db">, token: string): Promise<ProviderInForce | null> {
  return await findProvider(ctx.db, { tokenHash: hashOf(token) });
}

export type ListDirectory = { provider: ProviderInForce; filter: DirectoryFilter | null; skip: number; limit: number };

export async function listUsers(ctx: Uses<"db">, { provider, filter, ...page }: ListDirectory) {
  return await listDirectoryUsers(ctx.db, provider.id, filter, page);
}

export async function listGroups(ctx: Uses<"db">, { provider, filter, ...page }: ListDirectory) {
  return await listDirectoryGroups(ctx.db, provider.id, filter, page);
}

/** @throws Refusal `conflict` when name or subject are taken, `forbidden` where nobody else could let people in. */
export async function addUser(ctx: Powers, of: OfDirectory, content: UserContent): Promise<DirectoryUser> {
  const { provider } = of;
  const now = ctx.clock.now();
  const user = { id: randomUUID(), providerId: provider.id, ...content, shutOutAt: null, createdAt: now, updatedAt: now };
  return await withPeople(ctx, of, async (tx) => {
    if (!(await insertDirectoryUser(tx, user))) throw taken();
    const by = await record(tx, of, "directory.user_added", user.id, {
      user_name: user.userName,
      active: user.active,
    });
    await followDirectory({ ...ctx, db: tx }, { provider, user, by });
    return user;
  });
}

/** `change`: what the user becomes, from what it is. @throws Refusal `not_found`, `conflict`, `forbidden` as {@link addUser}. */
export async function changeUser(
  ctx: Powers,
  of: OfDirectory,
  { id, change }: { id: string; change: (before: DirectoryUser) => UserContent },
): Promise<DirectoryUser> {
  const { provider } = of;
  return await withPeople(ctx, of, async (tx) => {
    const before = isUuid(id) ? await lockDirectoryUser(tx, { id, providerId: provider.id }) : null;
    if (before === null) throw new Refusal("not_found");
    const user = { ...before, ...change(before), updatedAt: ctx.clock.now() };
    if (await isDirectoryUserTaken(tx, user)) throw taken();
    await updateDirectoryUser(tx, id, user);
    const by = await record(tx, of, "directory.user_changed", id, { user_name: user.userName, active: user.active });
    await followDirectory({ ...ctx, db: tx }, { provider, user, by });
    return user;
  });
}

/** A deleted user is one who is no longer active, for ever. @throws Refusal `not_found`, `forbidden` as {@link addUser}. */
export async function removeUser(ctx: Powers, of: OfDirectory, id: string): Promise<void> {
  const { provider } = of;
  await withPeople(ctx, of, async (tx) => {
    const user = isUuid(id) ? await lockDirectoryUser(tx, { id, providerId: provider.id }) : null;
    if (user === null) throw new Refusal("not_found");
    const by = await record(tx, of, "directory.user_removed", id, { user_name: user.userName });
    await followDirectory({ ...ctx, db: tx }, { provider, user: { ...user, active: false }, by });
    await deleteDirectoryUser(tx, { id, providerId: provider.id });
  });
}

/** Its members' roles follow at their next sign-in. @throws Refusal `conflict`, `validation_failed` for unknown members. */
export async function addGroup(ctx: Powers, of: OfDirectory, content: GroupContent): Promise<DirectoryGroup> {
  const { provider } = of;
  const now = ctx.clock.now();
  const group = { id: randomUUID(), providerId: provider.id, ...content, createdAt: now, updatedAt: now };
  return await ctx.db.transaction(async (tx) => {
    await refuseUnknown(tx, provider, content.members);
    if (!(await insertDirectoryGroup(tx, group))) throw taken();
    await record(tx, of, "directory.group_added", group.id, {
      name: group.displayName,
      members: group.members.length,
    });
    return group;
  });
}

/** @throws Refusal `not_found`, `conflict`, `validation_failed` for unknown members. */
export async function changeGroup(
  ctx: Powers,
  of: OfDirectory,
  { id, change }: { id: string; change: (before: DirectoryGroup) => GroupContent },
): Promise<DirectoryGroup> {
  const { provider } = of;
  return await ctx.db.transaction(async (tx) => {
    const before = isUuid(id) ? await lockDirectoryGroup(tx, { id, providerId: provider.id }) : null;
    if (before === null) throw new Refusal("not_found");
    const group = { ...before, ...change(before), updatedAt: ctx.clock.now() };
    await refuseUnknown(tx, provider, group.members);
    if (await isDirectoryGroupTaken(tx, group)) throw taken();
    await updateDirectoryGroup(tx, id, group);
    await record(tx, of, "directory.group_changed", id, { name: group.displayName, members: group.members.length });
    return group;
  });
}

/** @throws Refusal `not_found`. */
export async function removeGroup(ctx: Powers, of: OfDirectory, id: string): Promise<void> {
  const { provider } = of;
  await ctx.db.transaction(async (tx) => {
    const group = isUuid(id) ? await lockDirectoryGroup(tx, { id, providerId: provider.id }) : null;
    if (group === null) throw new Refusal("not_found");
    await deleteDirectoryGroup(tx, id);
    await record(tx, of, "directory.group_removed", id, { name: group.displayName });
  });
}

/** What changes people. A refusal to shut out the last one who lets others in is in the audit log. */
async function withPeople<Result>(ctx: Powers, of: OfDirectory, work: (tx: Database) => Promise<Result>): Promise<Result> {
  try {
    return await ctx.db.transaction(work);
  } catch (error) {
    if (error instanceof LastWayIn) await recordRefused(ctx, { ...of, why: "the directory may not shut out the last who lets others in" });
    throw error;
  }
}

async function refuseUnknown(tx: Uses<"db">["db"], { id }: ProviderInForce, members: readonly string[]): Promise<void> {
  const ids = [...new Set(members)];
  const known = ids.every(isUuid) ? await knownMembers(tx, id, ids) : [];
  if (known.length === ids.length) return;
  throw new Refusal("validation_failed", {
    errors: [{ pointer: "/members", code: "unknown", message: "must be users of this directory" }],
  });
}

async function record(
  tx: Database,
  { provider, requestId }: OfDirectory,
  action: string,
  objectId: string,
  change: Record<string, unknown>,
): Promise<By> {
  const by: By = { ...SYSTEM, requestId };
  await insertAuditEntry(tx, { by, partnerId: provider.partnerId, action, objectId, change: { ...change, provider_id: provider.id } });
  return by;
}

function taken(): Refusal {
  return new Refusal("conflict", { detail: "Another resource of this directory has this name or subject." });
}
