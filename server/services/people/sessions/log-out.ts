import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { revokeAccessToken } from "#db/queries/people/access-tokens.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import type { Uses } from "#server/context.ts";

/** Ends an access token at once. Ending it twice changes nothing. */
export async function logOut(ctx: Uses<"db" | "clock">, { by, tokenId }: { by: By; tokenId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const userId = await revokeAccessToken(tx, tokenId, ctx.clock.now());
    if (userId === null) return;
    const now = await readBusinessNow(tx);
    await insertAuditEntry(tx, {
      by,
      partnerId: null,
      action: "user.logged_out",
      objectId: userId,
      change: { access_token_id: tokenId },
      now,
    });
  });
}
