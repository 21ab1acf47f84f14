import { listSealedSecrets, replaceSealedSecret, type SealedSecret } from "#db/queries/audit/sealed-secrets.ts";
import type { Uses } from "#server/context.ts";

/**
 * Encrypts every stored secret again under the vault's current key and in its current form. Once it finds nothing to do, an older key can
 * be retired. Safe to interrupt, repeat, and run on several workers at once. `unreadable`: encrypted under a key that the vault does not
 * have, or for another column or row.
 */
export async function resealSecrets(ctx: Uses<"db" | "vault">): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const secret of await listSealedSecrets(ctx.db)) {
    if (ctx.vault.isCurrent(secret.sealed)) continue;
    const plain = openOrNull(ctx, secret);
    if (plain === null) counts.unreadable += 1;
    else if (await replaceSealedSecret(ctx.db, secret, ctx.vault.seal(plain, secret.place))) counts.resealed += 1;
  }
  return counts;
}

function openOrNull(ctx: Uses<"vault">, { sealed, place }: SealedSecret): string | null {
  try {
    return ctx.vault.open(sealed, place);
  } catch {
    return null;
  }
}
