import type { JournalPlace, JournalState, SignedEntry } from "#domain/journal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Desk } from "./desk.ts";

/** What is to be signed or sent, and the payments that it makes. */
type Ruled = Pick<JournalPlace, "chain" | "wallet"> & { nonce: number | null } & Pick<
    SignedEntry,
    "owner" | "recipient" | "token" | "amountBase" | "members"
  > & { payments: readonly Transfer[] };

/**
 * In their order, why payments wait for unsigned rules; null: they do not. What was released under the same nonce goes on: another
 * attempt there moves nothing more.
 */
export async function ruleFaults(
  { ctx: { db }, findUnsignedRules }: Desk,
  readState: () => Promise<JournalState>,
  ruled: readonly (Ruled | null)[],
): Promise<(string | null)[]> {
  const all = ruled.flatMap((one) => one?.payments.map((transfer) => ({ transfer, wallet: one.wallet })) ?? []);
  const faults = all.length === 0 ? new Map<string, string>() : await findUnsignedRules(db, all);
  if (faults.size === 0) return ruled.map(() => null);
  const state = await readState();
  return ruled.map((one) => {
    if (one === null) return null;
    const { nonce, ...payment } = one;
    // What has no nonce lapses, and each attempt of it is judged.
    if (nonce !== null && state.hasReleased({ ...payment, nonce })) return null;
    return one.payments.flatMap(({ id }) => faults.get(id) ?? [])[0] ?? null;
  });
}
