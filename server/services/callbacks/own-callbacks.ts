import { findCallback, listCallbacksById } from "#db/queries/callbacks/callbacks.ts";
import { listCallbackIds, type OwnCallbackFilter } from "#db/queries/callbacks/list-callbacks.ts";
import type { Scope } from "#domain/access.ts";
import type { Callback } from "#domain/callback.ts";
import { audienceOfSubject, type EventAudience } from "#domain/event.ts";
import { isId } from "#domain/ids.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { audiencesOf } from "#server/services/events/read-events.ts";

/** A page of a partner's callbacks about any object that the key may read, newest first, with every attempt. */
export async function listOwnCallbacks(
  ctx: Uses<"db">,
  { filter, ...walk }: { filter: OwnCallbackFilter } & Walk<string>,
): Promise<Walked<Callback, string>> {
  return await walkPage(
    walk,
    async (each) => {
      const ids = await listCallbackIds(ctx.db, filter, each);
      const found = new Map((await listCallbacksById(ctx.db, ids, { partnerId: filter.partnerId })).map((one) => [one.id, one]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    ({ id }) => id,
  );
}

type OwnCallback = { partnerId: string; scopes: readonly Scope[]; callbackId: string };

/** @throws Refusal `callback_not_found`, also for another partner's and for one whose object the key may not read; `scope_missing`. */
export async function readOwnCallback(ctx: Uses<"db">, { partnerId, scopes, callbackId }: OwnCallback): Promise<Callback> {
  const audiences = audiencesOf(scopes);
  const [found] = isId("callback", callbackId) ? await listCallbacksById(ctx.db, [callbackId], { partnerId }) : [];
  if (found === undefined || !audiences.includes(audienceOfSubject(found.subjectId))) throw new Refusal("callback_not_found");
  return found;
}

const WRITES: Record<EventAudience, Scope> = { settlements: "settlements:write", partner: "partner:write" };

/**
 * Whether a key may have a callback sent again: its scopes must let it write the callback's object.
 *
 * @throws Refusal `callback_not_found` as {@link readOwnCallback}; `scope_missing` for a callback that the key may only read.
 */
export async function refuseUnlessMaySend(ctx: Uses<"db">, { partnerId, scopes, callbackId }: OwnCallback): Promise<void> {
  const found = isId("callback", callbackId) ? await findCallback(ctx.db, { id: callbackId }) : null;
  if (found === null || found.partnerId !== partnerId) throw new Refusal("callback_not_found");
  const audience = audienceOfSubject(found.subjectId);
  const scope = WRITES[audience];
  if (scopes.includes(scope)) return;
  if (!audiencesOf(scopes).includes(audience)) throw new Refusal("callback_not_found");
  throw new Refusal("scope_missing", { detail: `The API key lacks the scope ${scope}.`, members: { required_scope: scope } });
}
