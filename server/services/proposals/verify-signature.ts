import type { KeptSignature } from "#db/queries/proposals/decision-signatures.ts";
import { challengeOf, type DecisionRecord, readRecord } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";

/**
 * Verifies a stored signature without trusting its row: the record is the text whose hash the device signed, and names the row's person
 * and action. The key is the one that the register has for that person.
 *
 * @returns the record, or why the signature proves nothing
 */
export async function verifySignature(ctx: Uses<"passkeys">, kept: KeptSignature): Promise<{ record: DecisionRecord } | { fault: string }> {
  const record = readRecord(kept.record);
  if (record === null) return { fault: "its record is not a text of ours" };
  if (kept.key === null) return { fault: "no such passkey of that person was ever registered" };
  if (record.person !== kept.userId) return { fault: "its record names another person" };
  if (record.action !== kept.action) return { fault: "its record is of another action" };
  const { publicKey } = kept.key;
  if (ctx.passkeys.trusts?.(kept.userId, publicKey) === false) return { fault: "the signer's settings do not trust its passkey" };
  const isGenuine = await ctx.passkeys.verifyKept(kept, challengeOf(kept.record), { publicKey, origin: record.origin });
  return isGenuine ? { record } : { fault: "the passkey did not sign its record" };
}
