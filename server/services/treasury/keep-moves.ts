import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listOwnMoves, type OwnMove } from "#db/queries/transfers/suspense-lines.ts";
import { listLostHashes } from "#db/queries/transfers/treasury-losses.ts";
import type { EvmReceipt, EvmTokenMove } from "#domain/evm-chain.ts";
import { tokenMoveIn } from "#domain/evm-intent.ts";
import type { SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { directionOf, suspendLines, type Watched } from "./suspend-lines.ts";

/**
 * Puts into suspense what no payment of ours explains, as one node shows it, and halts the wallets that lost something. A transfer of nothing
 * moves nothing: anyone can log one from any address.
 */
export async function keepMoves(ctx: Uses<"db" | "log">, watched: Watched, all: readonly EvmTokenMove[]): Promise<void> {
  const { chain } = watched;
  const moves = distinct(all.filter(({ amountBase }) => amountBase > 0n));
  const unexplained = await withoutOwn(ctx, chain, moves);
  if (unexplained.length === 0) return;
  const lost = new Set(
    await listLostHashes(
      ctx.db,
      chain.chain,
      unexplained.map(({ hash }) => hash),
    ),
  );
  const foundAt = await readBusinessNow(ctx.db);
  const lines: SuspenseLine[] = [];
  for (const [hash, same] of Map.groupBy(
    unexplained.filter((move) => !lost.has(move.hash)),
    (move) => move.hash,
  )) {
    const receipt = await receiptOf(watched.node, hash);
    if (receipt?.succeeded) lines.push(...same.flatMap((move) => lineOf(watched, { move, receipt, foundAt }) ?? []));
  }
  await suspendLines(ctx, watched, lines);
}

function distinct(moves: readonly EvmTokenMove[]): EvmTokenMove[] {
  return [
    ...new Map(moves.map((move) => [`${move.hash} ${move.index ?? JSON.stringify(Object.values(move).map(String))}`, move])).values(),
  ];
}

/** Each of our payments explains one event in its transaction: of its token, to its recipient, with its amount. */
async function withoutOwn({ db }: Uses<"db">, { chain }: EvmChain, moves: readonly EvmTokenMove[]): Promise<EvmTokenMove[]> {
  const hashes = [...new Set(moves.map(({ hash }) => hash))];
  const nameOf = ({ hash, token, recipient, amountBase }: OwnMove) => `${hash} ${token} ${recipient} ${amountBase}`;
  const own = new Map<string, number>();
  for (const move of await listOwnMoves(db, chain, hashes)) own.set(nameOf(move), (own.get(nameOf(move)) ?? 0) + 1);
  return moves.filter((move) => {
    const left = own.get(nameOf(move)) ?? 0;
    if (left > 0) own.set(nameOf(move), left - 1);
    return left === 0;
  });
}

async function receiptOf(node: EvmNode, hash: string): Promise<EvmReceipt | null> {
  try {
    return await node.receipt(hash);
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
    return null;
  }
}

type Shown = { move: EvmTokenMove; receipt: EvmReceipt; foundAt: Date };

/** Null where the receipt does not have the event: the node contradicts itself, or a reorg came between. */
function lineOf({ chain, holder, ours }: Watched, { move, receipt, foundAt }: Shown): SuspenseLine | null {
  const { hash, token, sender, recipient, amountBase } = move;
  const info = chain.tokens.find(({ address }) => address?.toLowerCase() === token);
  const place = receipt.logs.findIndex((log) => {
    const shown = log.address.toLowerCase() === token && (move.index === undefined || log.index === move.index) ? tokenMoveIn(log) : null;
    return shown?.from === sender && shown.to === recipient && shown.amountBase === amountBase;
  });
  if (info === undefined || place < 0) return null;
  const own = new Set(ours.map((address) => address.toLowerCase()));
  return {
    chain: chain.chain,
    hash,
    place,
    holder,
    direction: directionOf(own.has(sender), own.has(recipient)),
    currency: info.currency,
    decimals: info.decimals,
    token,
    sender,
    recipient,
    amountBase,
    blockNumber: receipt.blockHeight,
    blockHash: receipt.blockHash,
    state: "seen",
    bookings: 0,
    resolution: null,
    proposalId: null,
    foundAt,
    resolvedAt: null,
  };
}
