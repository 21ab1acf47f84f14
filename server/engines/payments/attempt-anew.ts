import { type Attempt, insertAttempts, type OpenTransaction, postponeBump } from "#db/queries/transfers/transactions.ts";
import { lockTransfer, restTransfers } from "#db/queries/transfers/transfers.ts";
import { holdWalletLease } from "#db/queries/transfers/wallets.ts";
import { clearBumpWish } from "#db/queries/transfers/wishes.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { bumpedFees, type EvmFeeMarket, gasLimitFor } from "#domain/evm-fees.ts";
import { cancellationOf, type EvmIntent, intentHash } from "#domain/evm-intent.ts";
import { seesThrough } from "#domain/wallet.ts";
import { EvmRejected } from "#server/ports.ts";
import { type HeldWallet, LeaseLost, type Round } from "./engine.ts";
import { gasOfNothing } from "./gas-of-nothing.ts";
import { isSignerTrouble, signerTrouble } from "./hold-wallets.ts";
import { type SignedAttempt, signAttempt } from "./sign-attempt.ts";

/**
 * Makes a further attempt under the same nonce where one is due: an operator's cancellation, the payment again once that is withdrawn, an operator's bump, or a bump because
 * the last attempt is old and either stands first in line or pays less than the base fee. It has the same recipient and amount, and
 * is stored before it is sent. Null when none is due or possible.
 */
export async function attemptAnew(
  round: Round,
  wallet: HeldWallet,
  transaction: OpenTransaction,
  chainNonce: number,
): Promise<Attempt | null> {
  const { ctx, pace } = round.engine;
  const last = transaction.attempts.at(-1);
  if (!last || !seesThrough(wallet.row.state)) return null;
  const { transfer } = transaction;
  const market = await round.market();
  const kind = transfer.cancelRequestedAt === null ? "payment" : "cancellation";
  if (kind === last.kind && !isBumpDue(round, transaction, last, chainNonce, market)) return null;
  const fees = bumpedFees(last, market, round.chain.maxFeePerGas);
  if (fees === null) {
    await postponeBumpNow(round, transaction);
    await restTransfers(ctx.db, [transfer.id], {
      kind: "chain_unavailable",
      reason: "It is not mined, and the configured cap leaves no room for a higher fee.",
      restMs: pace.lookMs,
    });
    return null;
  }
  const content = { intent: contentOf(round, transaction, kind), gasLimit: await gasLimitOf(round, transaction, kind, last) };
  try {
    const signed = await signAttempt(round, wallet, { kind, nonce: transaction.nonce, fees, ...content });
    round.engine.step("bump_signed", transfer.id);
    const stored = await store(round, wallet, transaction, signed, last.number + 1);
    if (stored) round.engine.step("bump_stored", transfer.id);
    return stored;
  } catch (error) {
    if (!isSignerTrouble(error)) throw error;
    ctx.log.error({ transfer_id: transfer.id, err: error }, "a signer did not sign a further attempt");
    await postponeBumpNow(round, transaction);
    await restTransfers(ctx.db, [transfer.id], { kind: "chain_unavailable", reason: signerTrouble(error), restMs: pace.lookMs });
    return null;
  }
}

/** The very intent that was stored with the nonce. A payment's is compared with the hash kept beside it. */
function contentOf(round: Round, { intent, intentHash: kept, walletAddress }: OpenTransaction, kind: Attempt["kind"]): EvmIntent {
  if (kind === "cancellation") return cancellationOf(walletAddress);
  if (intentHash(round.chain.chain, walletAddress, intent) !== kept)
    throw new Error("a transaction's stored intent is not the one it was made with");
  return intent;
}

/** Estimated anew: since the last attempt the recipient may have been emptied. Never less than before, and as before where it cannot be told. */
async function gasLimitOf(round: Round, { walletAddress, intent }: OpenTransaction, kind: Attempt["kind"], last: Attempt): Promise<bigint> {
  if (kind === "cancellation") return await gasOfNothing(round, walletAddress, last.gasLimit);
  const simulation = await round.node.simulate(walletAddress, intent).catch((error: unknown) => {
    if (error instanceof EvmRejected) return null;
    throw error;
  });
  const wanted = simulation?.outcome === "passes" ? gasLimitFor(simulation.gas) : 0n;
  return wanted > last.gasLimit ? wanted : last.gasLimit;
}

function isBumpDue(round: Round, transaction: OpenTransaction, last: Attempt, chainNonce: number, market: EvmFeeMarket): boolean {
  if (transaction.transfer.bumpRequestedAt !== null) return true;
  if (transaction.bumpAt > round.engine.ctx.clock.now()) return false;
  return transaction.nonce === chainNonce || last.maxFeePerGas < market.baseFeePerGas;
}

async function store(
  round: Round,
  wallet: HeldWallet,
  transaction: OpenTransaction,
  signed: SignedAttempt,
  number: number,
): Promise<Attempt | null> {
  return await round.engine.ctx.db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, transaction.transfer.id);
    if (transfer?.state !== "signed" && transfer?.state !== "broadcast") return null;
    if (!(await holdWalletLease(tx, wallet.lease))) throw new LeaseLost("the wallet was taken by another worker");
    const attempt = { ...signed, transactionId: transaction.id, number, signedAt: await readBusinessNow(tx) };
    await insertAttempts(tx, [attempt]);
    await postponeBump(tx, transaction.id, round.chain.bumpAfterSeconds);
    await clearBumpWish(tx, transfer.id);
    return { ...attempt, broadcastAt: null };
  });
}

async function postponeBumpNow({ engine, chain }: Round, { id, transfer }: OpenTransaction): Promise<void> {
  await engine.ctx.db.transaction(async (tx) => {
    await postponeBump(tx, id, chain.bumpAfterSeconds);
    await clearBumpWish(tx, transfer.id);
  });
}
