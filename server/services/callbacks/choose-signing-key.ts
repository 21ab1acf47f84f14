import { findNewestKeyOf } from "#db/queries/callbacks/callback-signing.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { readActivePartner } from "#server/services/partners/read-active-partner.ts";

/**
 * The key whose secret signs the callbacks of what one of the partner's people asks for in the console: the newest, as for a key that
 * was revoked.
 *
 * @throws Refusal `not_found`, `partner_suspended`, `conflict` where the partner has no key at all
 */
export async function chooseSigningKey(ctx: Uses<"db" | "clock">, partnerId: string): Promise<string> {
  const { id } = await readActivePartner(ctx, partnerId);
  const key = await findNewestKeyOf(ctx.db, id, ctx.clock.now());
  if (key !== null) return key;
  throw new Refusal("conflict", { detail: "There is no API key yet whose secret would sign the callback. Create one first." });
}
