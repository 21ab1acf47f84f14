import { findLastSeal } from "#db/queries/audit/audit-seals.ts";
import type { ChainFlaw } from "#domain/audit-seal.ts";
import type { Uses } from "#server/context.ts";
import { walkAuditChain } from "./seal-audit-log.ts";

/** The end of a verified audit log chain, to store where this database's owner cannot write. */
export type Anchor = { seq: number; hash: string; sealedAt: Date };

/** Verifies the whole chain first: a flawed one is no evidence. Null: nothing is sealed yet. */
export async function takeAnchor(ctx: Uses<"db">): Promise<{ anchor: Anchor | null; flaws: ChainFlaw[] }> {
  return await ctx.db.transaction(
    async (tx) => {
      const { flaws } = await walkAuditChain(tx);
      const last = await findLastSeal(tx);
      return { flaws, anchor: last && { seq: last.seq, hash: last.hash, sealedAt: last.sealedAt } };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
