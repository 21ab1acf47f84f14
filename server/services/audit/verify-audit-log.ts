import { insertVerification, type Verification } from "#db/queries/audit/audit-verifications.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { newId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";
import { type ChainWalk, walkAuditChain } from "./walk-audit-chain.ts";

const MOST_NAMED = 50;

/**
 * Computes the whole chain over the audit log anew and keeps what came of it, with where the chain then ended: a log that is cut off
 * later contradicts that. It changes nothing else. `userId` null: nobody asked.
 */
export async function verifyAuditLog(ctx: Uses<"db" | "clock" | "log">, { userId }: { userId: string | null }): Promise<Verification> {
  const begun = ctx.clock.now();
  return await keepVerification(ctx, await walkAuditChain(ctx.db), { userId, begun });
}

/** Keeps what a walk along the chain has found, and tells the log. */
export async function keepVerification(
  ctx: Uses<"db" | "clock" | "log">,
  { seq, hash, flaws }: ChainWalk,
  { userId, begun }: { userId: string | null; begun: Date },
): Promise<Verification> {
  const at = await readBusinessNow(ctx.db);
  const verification = {
    id: newId("verification", at),
    at,
    userId,
    seq,
    hash,
    durationMs: ctx.clock.now().getTime() - begun.getTime(),
    flaws: flaws.length,
    named: flaws.slice(0, MOST_NAMED),
  };
  await insertVerification(ctx.db, verification);
  const [first] = flaws;
  // The hash in the log is a witness outside of the database.
  if (first === undefined) ctx.log.info({ seq, hash }, "the audit log is as it was written");
  else ctx.log.error({ seq, hash, flaws: flaws.length, first }, "the audit log is not as it was written");
  return verification;
}
