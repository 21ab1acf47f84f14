import type { Database } from "#db/client.ts";
import { listOpenPayments } from "#db/queries/transfers/transfers.ts";
import { lockWalletsOf, moveNonce } from "#db/queries/transfers/wallets.ts";
import { matchPayments } from "#domain/foreign-transaction.ts";
import type { ScopeHalt } from "#domain/halt-scope.ts";
import { type LeasedWallet, LeaseLost, type Pass } from "#server/engines/payments/engine.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { type ForeignFound, findForeign } from "#server/services/treasury/find-foreign.ts";
import { keepUnexplained } from "#server/services/treasury/keep-unexplained.ts";

/** What is looked for before a wallet is halted; `npm run compare` reads the rest. */
const MOST_NONCES = 32;
const MOST_BLOCKS = 256;

type Range = { from: number; below: number };
export type ForeignReport = Range & ForeignFound & { address: string; detail: string; evidence: Record<string, unknown> };

/**
 * Nonces of ours are used by transactions that this database does not know, in blocks or waiting for one. The wallet's scope is halted in
 * the very transaction that moves its sequence behind them; what they paid was read before, so that anyone who lifts the halt sees it.
 */
export async function haltForForeign(pass: Pass, wallet: LeasedWallet, count: number): Promise<void> {
  const range = { from: wallet.nextNonce, below: count };
  const report = await readForeign(pass, wallet.row, range);
  const halt = await pass.engine.ctx.db.transaction(async (tx) => {
    const made = await haltWallet(tx, pass, wallet.row.id, report);
    const moved = await moveNonce(tx, wallet.lease, { from: range.from, to: range.below, height: pass.head.height });
    if (!moved) throw new LeaseLost("the wallet was taken by another worker");
    return made;
  });
  wallet.nextNonce = range.below;
  wallet.halt ??= halt;
  wallet.isScopeHalted = true;
  describeHalt(pass, wallet.row.address, report);
}

/**
 * To be called in the transaction that meets the unknown nonce. It stops every wallet of the chain, so anyone who signs for one of them at
 * this moment is waited for. Null: the wallet is halted already.
 */
export async function haltWallet(
  tx: Database,
  { chain }: Pick<Pass, "chain">,
  walletId: string,
  { address, found, detail, evidence }: ForeignReport,
): Promise<ScopeHalt | null> {
  await lockWalletsOf(tx, { kind: "chain", key: chain.chain });
  await keepUnexplained(tx, { chain: chain.chain, wallet: address }, found);
  return await haltScope(tx, { scope: { kind: "wallet", key: walletId }, cause: "foreign_nonce", detail, evidence });
}

/** Once the halt is committed. */
export function describeHalt({ chain, engine }: Pass, address: string, { detail }: ForeignReport): void {
  engine.ctx.log.error(
    { chain: chain.chain, wallet: address, detail },
    "a treasury wallet is halted, and its chain with it: unknown transactions have spent its nonces",
  );
}

/** Reads the receipts of what spent the nonces, for payments that are still open here. A silent node hinders no halt. */
export async function readForeign(
  pass: Pass,
  wallet: { id: string; address: string; alignedHeight: number | null },
  range: Range,
): Promise<ForeignReport> {
  const nonces = Array.from({ length: range.below - range.from }, (_, index) => range.from + index);
  const looked = nonces.slice(0, MOST_NONCES);
  const above = wallet.alignedHeight ?? -1;
  const search = { address: wallet.address, nonces: looked, above, head: pass.head.height, mostBlocks: MOST_BLOCKS };
  const { found, unread } = await findForeign(pass.node, search).catch((error: unknown): ForeignFound => {
    if (!(error instanceof Unreachable) && !(error instanceof Rejected)) throw error;
    return { found: [], unread: looked };
  });
  const missing = [...unread, ...nonces.slice(MOST_NONCES)];
  const paid = matchPayments(found, await listOpenPayments(pass.engine.ctx.db, pass.chain.chain));
  const which =
    nonces.length === 1
      ? `Nonce ${range.from} of ${wallet.address} was spent by a transaction`
      : `Nonces ${range.from} to ${range.below - 1} of ${wallet.address} were spent by transactions`;
  const sentences = [
    `${which} that this database does not know: it was restored, or the key is used elsewhere.`,
    paid.length === 0
      ? `Of what was read (${found.length} of ${nonces.length}) nothing made a payment that is still open.`
      : `They made payments that are still open: ${paid.map(({ payment, transaction }) => `${payment.id} (${transaction.hash})`).join(", ")}.`,
    ...(missing.length === 0 ? [] : [`${missing.length} could not be read yet.`]),
    "Run `npm run compare` before anybody lifts this.",
  ];
  const evidence = {
    from_nonce: range.from,
    below_nonce: range.below,
    above_height: wallet.alignedHeight,
    transactions: found.map(({ nonce, hash, height, succeeded }) => ({ nonce, hash, height, succeeded })),
    paid: paid.map(({ payment, transaction, others }) => ({
      transfer_id: payment.id,
      hash: transaction.hash,
      ambiguous: others.length > 0,
    })),
    unread: missing.length,
  };
  return { ...range, address: wallet.address, found, unread: missing, detail: sentences.join(" "), evidence };
}
