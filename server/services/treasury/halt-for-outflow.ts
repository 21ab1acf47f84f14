import { findOwnAttempts } from "#db/queries/transfers/transactions.ts";
import { listProvedPlaces } from "#db/queries/transfers/transfer-proofs.ts";
import { insertUnexplained, listKeptHashes } from "#db/queries/transfers/unexplained-payments.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import { type ForeignTransaction, movementsIn } from "#domain/foreign-transaction.ts";
import { isInside, type SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { keepUnexplained } from "./keep-unexplained.ts";

type Watched = { chain: EvmChain; node: EvmNode };

/**
 * Halts the wallets from which unknown transactions took something. What the key of a wallet that signs made is left to the payments engine,
 * which notices it by its nonce. A transaction that is kept already has halted its wallets before.
 */
export async function haltForOutflow(ctx: Uses<"db" | "log">, watched: Watched, outflows: readonly SuspenseLine[]): Promise<void> {
  const { chain } = watched.chain;
  for (const line of outflows.filter(isInside)) await haltForInside(ctx, watched, line);
  const hashes = [...new Set(outflows.filter((line) => !isInside(line)).map(({ hash }) => hash))];
  if (hashes.length === 0) return;
  const own = new Set((await findOwnAttempts(ctx.db, hashes)).map(({ hash }) => hash));
  const proved = await listProvedPlaces(ctx.db, chain, hashes);
  const kept = await listKeptHashes(ctx.db, chain, hashes);
  for (const hash of hashes.filter((one) => !own.has(one) && !proved.has(one) && !kept.has(one))) await halt(ctx, watched, hash);
}

async function halt(ctx: Uses<"db" | "log">, { chain, node }: Watched, hash: string): Promise<void> {
  const found = await findTransaction(node, hash);
  if (found === null) return;
  const { transaction, sender } = found;
  const wallets = (await listWallets(ctx.db)).filter((wallet) => wallet.chain === chain.chain);
  const followed = wallets.some(({ address, state }) => isSame(address, sender) && (state === "active" || state === "draining"));
  if (followed) return;
  const detail = `${hash} by ${sender} took money out of this wallet, and no payment of ours explains it. Read the runbook of halts first.`;
  const lost = movementsIn(transaction, sender).filter(({ amountBase }) => amountBase > 0n);
  const robbed = wallets.filter(({ address }) => isSame(sender, address) || lost.some((movement) => isSame(movement.sender, address)));
  if (robbed.length === 0) return;
  await ctx.db.transaction(async (tx) => {
    const outOf = robbed.map(({ address }) => address);
    await keepUnexplained(tx, { chain: chain.chain, wallet: sender, outOf }, [transaction]);
    for (const { id } of robbed) {
      const evidence = { transactions: [{ hash, height: transaction.height, sender }] };
      await haltScope(tx, { scope: { kind: "wallet", key: id }, cause: "unexplained_outflow", detail, evidence });
    }
  });
  const addresses = robbed.map(({ address }) => address);
  ctx.log.error({ chain: chain.chain, wallets: addresses, hash }, "money left a treasury wallet, and no payment of ours explains it");
}

/** Contracts took the coin, and nothing names the transaction: the block is the evidence. */
async function haltForInside(ctx: Uses<"db" | "log">, { chain }: Watched, line: SuspenseLine): Promise<void> {
  const wallet = (await listWallets(ctx.db)).find((one) => one.chain === chain.chain && isSame(one.address, line.sender));
  if (wallet === undefined) return;
  const { hash, place, blockNumber: height, sender, recipient, amountBase, foundAt } = line;
  const detail = `An unknown transaction in block ${height} (${hash}) took coins out of this wallet. Read the runbook of halts first.`;
  const isNew = await ctx.db.transaction(async (tx) => {
    const about = {
      chain: chain.chain,
      hash,
      place,
      wallet: sender,
      nonce: 0,
      height,
      token: null,
      sender,
      recipient,
      amountBase,
      foundAt,
    };
    if (!(await insertUnexplained(tx, [about]))) return false;
    const evidence = { transactions: [{ hash, height, sender: null }] };
    await haltScope(tx, { scope: { kind: "wallet", key: wallet.id }, cause: "unexplained_outflow", detail, evidence });
    return true;
  });
  if (isNew) ctx.log.error({ chain: chain.chain, wallets: [wallet.address], hash }, "coins left a treasury wallet inside a contract call");
}

/** Null when the node does not show it any more: a reorg took it away, and the next pass reads again. */
async function findTransaction(node: EvmNode, hash: string): Promise<{ transaction: ForeignTransaction; sender: string } | null> {
  const receipt = await node.receipt(hash);
  const sent = receipt && (await node.content(receipt.blockHeight))?.transactions.find((one) => one.hash === hash);
  if (!receipt || !sent) return null;
  const { to, valueBase, data, nonce } = sent;
  const { blockHeight: height, succeeded, logs } = receipt;
  return { transaction: { nonce, hash, height, succeeded, intent: { to, valueBase, data }, logs }, sender: receipt.sender };
}

function isSame(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
