import { readPastRequests } from "#db/queries/access/past-requests.ts";
import type { Scope } from "#domain/access.ts";
import { type KeyEffect, keyEffect } from "#domain/key-effect.ts";
import type { Uses } from "#server/context.ts";
import { previewRevocation, type WhichKey } from "./revoke-api-key.ts";

/**
 * What a revocation would have refused in the last 30 days, by the log of requests: all that was answered with the keys that end. Nothing
 * changes.
 *
 * @throws Refusal `not_found`
 */
export async function tryRevocation(ctx: Uses<"db" | "clock">, which: WhichKey): Promise<KeyEffect> {
  const ends = await previewRevocation(ctx, which);
  const keyIds = ends.map(({ id }) => id);
  const [partnerId = null] = ends.map((key) => key.partnerId);
  return keyEffect(await readPastRequests(ctx.db, { partnerId, keyIds, allowedIps: [] }), null);
}

type Rights = {
  /** null: the operator's own keys. */
  partnerId: string | null;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  scopeOf: (operation: string) => Scope | null;
};

/** The same for a key with fewer rights, in place of all keys that the partner has used. */
export async function tryRights(ctx: Uses<"db">, { partnerId, allowedIps, ...rights }: Rights): Promise<KeyEffect> {
  return keyEffect(await readPastRequests(ctx.db, { partnerId, keyIds: null, allowedIps }), rights);
}
