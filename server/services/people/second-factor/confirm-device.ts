import { createHash } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type DeviceEntry, listDeviceEntries } from "#db/queries/people/devices.ts";
import { listPasskeys } from "#db/queries/people/passkeys.ts";
import { findUser, findUserByEmail, lockUser, type UserRecord, updateUser } from "#db/queries/people/users.ts";
import { findVoter, listProposersOf } from "#db/queries/proposals/proposals.ts";
import { type ByPerson, isDecider, SYSTEM } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessConfirmed } from "#domain/two-people.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { lockManagedPerson } from "#server/services/people/lock-managed-person.ts";

/** One of a person's devices: since when they have it, and from where they added it, as far as the audit log knows. */
export type Device = { name: string | null; addedAt: Date | null; address: string | null; userAgent: string | null };
export type PersonsDevices = {
  name: string;
  email: string;
  /** The authenticator app has no name. */
  devices: Device[];
  confirmedAt: Date | null;
  /** Names exactly these devices: what is confirmed is what was seen. */
  seen: string;
};

/**
 * The devices of one of the operator's people, for the person who confirms them.
 *
 * @throws Refusal `not_found`
 */
export async function readDevicesOf(ctx: Uses<"db">, userId: string): Promise<PersonsDevices> {
  const person = isUuid(userId) ? await findUser(ctx.db, userId) : null;
  if (person === null || person.partnerId !== null) throw new Refusal("not_found");
  return await devicesOf(ctx.db, person);
}

/**
 * Confirms that a person who decides is who added these devices: somebody else asks them, face to face or by a call, for the names. In live
 * mode nobody decides before. A repeat changes nothing.
 *
 * @throws Refusal `not_found`, `forbidden`, `step_up_required`, `invalid_state` for a person who decides nothing or has no device yet,
 * `conflict` when the devices are others by now, `same_approver` for one whose own devices nobody has confirmed, `same_person` for who
 * proposed the person or reset the devices.
 */
export async function confirmDevices(
  ctx: Uses<"db" | "clock" | "mode">,
  { by, userId, seen }: { by: ByPerson; userId: string; seen: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const person = await lockManagedPerson({ ...ctx, db: tx }, by, userId);
    const found = await readConfirmable(tx, person);
    if (found === null) return;
    if (found.seen !== seen) throw new Refusal("conflict", { detail: "The devices have changed meanwhile. Look at them again." });
    await refuseUnlessAnother({ ...ctx, db: tx }, by, userId);
    const now = await readBusinessNow(tx);
    await updateUser(tx, userId, { deviceConfirmedAt: now, deviceConfirmedBy: by.actor.userId });
    const change = { email: person.email, devices: found.names };
    await insertAuditEntry(tx, { by, partnerId: null, action: "user.device_confirmed", objectId: userId, change, now });
  });
}

/**
 * The same by a command on the machine: for the first admin, whom nobody could confirm, and where no admin is left who may.
 *
 * @throws Refusal `not_found`, `invalid_state`
 */
export async function confirmDevicesOnMachine(ctx: Uses<"db">, email: string): Promise<{ email: string; devices: string[] }> {
  const known = await findUserByEmail(ctx.db, email.trim().toLowerCase());
  if (known === null || known.partnerId !== null)
    throw new Refusal("not_found", { detail: "None of the operator's people has the address." });
  return await ctx.db.transaction(async (tx) => {
    const person = await lockUser(tx, known.id);
    if (person === null) throw new Refusal("not_found");
    const found = await readConfirmable(tx, person);
    if (found === null) return { email: person.email, devices: [] };
    const now = await readBusinessNow(tx);
    await updateUser(tx, person.id, { deviceConfirmedAt: now, deviceConfirmedBy: null });
    const change = { email: person.email, devices: found.names, made_on: "machine" };
    await insertAuditEntry(tx, { by: SYSTEM, partnerId: null, action: "user.device_confirmed", objectId: person.id, change, now });
    return { email: person.email, devices: found.names };
  });
}

/** What there is to confirm; null: it is confirmed. @throws Refusal `invalid_state` */
async function readConfirmable(tx: Database, person: UserRecord): Promise<{ seen: string; names: string[] } | null> {
  if (!isDecider(person.role))
    throw new Refusal("invalid_state", { detail: "The role decides on nothing, so nothing needs to be confirmed." });
  if (person.deviceConfirmedAt !== null) return null;
  const { devices, seen } = await devicesOf(tx, person);
  if (devices.length === 0) throw new Refusal("invalid_state", { detail: "The person has not added a device yet." });
  return { seen, names: devices.map(({ name }) => name ?? "authenticator app") };
}

/** @throws Refusal `same_approver`, `same_person` */
async function refuseUnlessAnother(ctx: Uses<"db" | "mode">, { actor }: ByPerson, userId: string): Promise<void> {
  if (ctx.mode !== "live") return;
  const voter = await findVoter(ctx.db, { type: "user", id: actor.userId });
  if (voter === null) throw new Refusal("forbidden");
  refuseUnlessConfirmed(ctx.mode, voter);
  if ((await listProposersOf(ctx.db, userId)).includes(voter.principal))
    throw new Refusal("same_person", { detail: "You or a key of yours proposed this person. Another admin must confirm the devices." });
  const reset = (await listDeviceEntries(ctx.db, userId)).find(({ action }) => action === "user.two_factors_reset");
  if (reset?.actorId === actor.userId)
    throw new Refusal("same_person", { detail: "You reset this person's two factors. Another admin must confirm the new devices." });
}

async function devicesOf(tx: Database, person: UserRecord): Promise<PersonsDevices> {
  const [keys, entries] = [await listPasskeys(tx, person.id), await listDeviceEntries(tx, person.id)];
  const place = (entry: DeviceEntry | undefined) => ({ address: entry?.address ?? null, userAgent: entry?.userAgent ?? null });
  const app = entries.find(({ action }) => action === "user.two_factors_on");
  const devices: Device[] = keys.map(({ id, name, createdAt }) => {
    return { name, addedAt: createdAt, ...place(entries.find(({ passkeyId }) => passkeyId === id)) };
  });
  if (person.hasTotp) devices.push({ name: null, addedAt: app?.at ?? null, ...place(app) });
  const ids = [...keys.map(({ id, name }) => `${id} ${name}`), person.hasTotp ? (app?.id ?? "app") : null];
  const seen = createHash("sha256").update(JSON.stringify(ids)).digest("base64url");
  return { name: person.name, email: person.email, devices, confirmedAt: person.deviceConfirmedAt, seen };
}
