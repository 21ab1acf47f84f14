import type { Database } from "#db/client.ts";
import { findUserByEmail } from "#db/queries/people/users.ts";
import type { By } from "#domain/access.ts";
import { webWiring } from "#server/wiring.ts";

/** What a command says that sets a rule: the signer of a live service waits for its settings to name it. */
export const SIGNED_BY_NOBODY = "In live mode the signer pays by this once ACCEPTED_RULES names it: npm run unsigned-rules.\n";

/** With what a web process works with, as the environment names it. */
export async function withWiring(work: (wiring: ReturnType<typeof webWiring>) => Promise<void>): Promise<number> {
  const wiring = webWiring();
  try {
    await work(wiring);
    return 0;
  } finally {
    await wiring.database.close();
  }
}

/** In the name of one of the operator's people. @throws Error if none of them has the address. */
export async function inNameOf(db: Database, email: string): Promise<By> {
  const user = await findUserByEmail(db, email.trim().toLowerCase());
  if (user === null || user.partnerId !== null || user.disabledAt !== null) throw new Error(`${email} is none of the operator's people.`);
  // Anyone who runs commands on this machine has more in hand than a password.
  const proof = { at: new Date(), byCode: false };
  return { actor: { type: "user", userId: user.id, role: user.role, partnerId: null }, requestId: null, proof };
}
