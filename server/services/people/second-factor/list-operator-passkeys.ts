import { listOperatorKeys } from "#db/queries/proposals/decision-signatures.ts";
import { passkeyFingerprint } from "#domain/passkey.ts";
import type { Uses } from "#server/context.ts";

/** Whose it is, what the person called it, and since when it is registered. */
export type OperatorPasskey = { fingerprint: string; email: string; name: string; registeredAt: Date };

/** Every passkey that one of the operator's people has registered, also of those who were shut out: what they signed before may still be due. */
export async function listOperatorPasskeys({ db }: Uses<"db">): Promise<OperatorPasskey[]> {
  const keys = await listOperatorKeys(db);
  return keys.map(({ userId, publicKey, ...rest }) => ({ ...rest, fingerprint: passkeyFingerprint(userId, publicKey) }));
}
