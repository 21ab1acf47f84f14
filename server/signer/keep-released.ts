import { type JournalPlace, type JournalState, journalOwner } from "#domain/journal.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { EvmChain } from "#server/ports.ts";
import type { Desk } from "./desk.ts";

/** A payment, and the nonce that it is to be signed or sent under. */
type Placed<Order> = { order: Order; transfer: Transfer; place: JournalPlace };

/**
 * Why nobody owes these payments, by their orders, without asking again for what people have signed of them. They are those which a signer has
 * released under the same nonce, with the same content: another attempt there moves nothing more, and who signed may be gone since. Others
 * are left out.
 */
export async function keepReleased<Order>(
  { ctx: { db }, findUnowed }: Desk,
  chain: EvmChain,
  state: JournalState,
  refused: readonly Placed<Order>[],
): Promise<Map<Order, string | null>> {
  const released = refused.filter(({ transfer, place }) => {
    const { recipient, tokenAddress: token, amountBase } = transfer;
    return state.hasReleased({ ...place, owner: journalOwner(transfer), recipient, token, amountBase });
  });
  if (released.length === 0) return new Map();
  const payments = released.map(({ transfer }) => transfer);
  const unowed = await findUnowed(db, payments, chain, true);
  return new Map(released.map(({ order, transfer }) => [order, unowed.get(transfer.id) ?? null]));
}
