import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findOwnAttempts } from "#db/queries/transfers/transactions.ts";
import { listProvedPlaces } from "#db/queries/transfers/transfer-proofs.ts";
import { listLostHashes } from "#db/queries/transfers/treasury-losses.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { CoinMove } from "#domain/coin-moves.ts";
import { COIN_PLACES, isInside } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain } from "#server/ports.ts";
import { directionOf, suspendLines, type Watched } from "./suspend-lines.ts";

/** With the block in which a node shows it. */
export type PlacedMove = CoinMove & { blockNumber: number; blockHash: string };

/** Puts into suspense the moves of the coin that no transaction of ours explains, as one node shows them. */
export async function keepCoinMoves(ctx: Uses<"db" | "log">, watched: Watched, moves: readonly PlacedMove[]): Promise<void> {
  const { chain, holder } = watched;
  const own = new Set(watched.ours);
  const unexplained = await withoutOwn(ctx, chain, moves);
  if (unexplained.length === 0) return;
  const foundAt = await readBusinessNow(ctx.db);
  const { currency, decimals } = chain.native;
  const lines = unexplained.map(({ hash, place, sender, recipient, amountBase, blockNumber, blockHash }) => {
    const what = {
      direction: directionOf(own.has(sender), own.has(recipient)),
      currency,
      decimals,
      token: null,
      sender,
      recipient,
      amountBase,
    };
    const unsettled = { state: "seen" as const, bookings: 0, resolution: null, proposalId: null, resolvedAt: null };
    return { chain: chain.chain, hash, place, holder, ...what, blockNumber, blockHash, ...unsettled, foundAt };
  });
  await suspendLines(ctx, watched, lines);
}

/**
 * Transactions of ours explain what they paid and cost, and so do booked losses. An unknown one that proved a payment explains its cost, and what it
 * paid where that was the payment.
 */
async function withoutOwn({ db }: Uses<"db">, { chain }: EvmChain, moves: readonly PlacedMove[]): Promise<PlacedMove[]> {
  const hashes = [...new Set(moves.map(({ hash }) => hash))];
  const own = new Set((await findOwnAttempts(db, hashes)).map(({ hash }) => hash));
  const proved = await listProvedPlaces(db, chain, hashes);
  const lost = new Set(await listLostHashes(db, chain, hashes));
  const wallets = new Set((await listWalletAddresses(db, chain)).map((address) => address.toLowerCase()));
  return moves.filter((move) => {
    const { hash, place, sender } = move;
    if (own.has(hash)) return false;
    if (!wallets.has(sender)) return true;
    if (lost.has(hash)) return false;
    const places = proved.get(hash);
    return places === undefined || isInside(move) || (place === COIN_PLACES.value && !places.includes(null));
  });
}
