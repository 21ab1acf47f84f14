import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type Attempt, insertAttempts, type OpenTransaction, postponeBump } from "#db/queries/transfers/transactions.ts";
import { lockTransfer, restTransfers } from "#db/queries/transfers/transfers.ts";
import { lockWalletLease } from "#db/queries/transfers/wallets.ts";
import { clearBumpWish } from "#db/queries/transfers/wishes.ts";
import { bumpedFees, type EvmFeeMarket, gasLimitFor } from "#domain/evm-fees.ts";
import { cancellationOf, type EvmIntent, intentHash, intentOf } from "#domain/evm-intent.ts";
import { seesThrough } from "#domain/wallet.ts";
import { type LeasedWallet, LeaseLost, type Pass } from "#server/engines/payments/engine.ts";
import { emptyTransferGas } from "#server/engines/payments/signing/empty-transfer-gas.ts";
import { isNotSigned, type SignedAttempt, signAttempt } from "#server/engines/payments/signing/sign-attempt.ts";
import { haltUnowed } from "#server/engines/payments/signing/stop-unowed.ts";
import { EvmRejected } from "#server/ports.ts";
import { orderOf } from "#server/services/transfers/journal-entries.ts";

/**
 * Creates another attempt under the same nonce if one is due: an operator's cancellation, the payment again once that is withdrawn, an
 * operator's bump, or a bump because the last attempt is old and either first in line or below the base fee. It has the same recipient and
 * amount, and is stored before it is sent. Null when none is due or possible.
 */
export async function replaceAttempt(
  pass: Pass,
  wallet: LeasedWallet,
  transaction: OpenTransaction,
  chainNonce: number,
): Promise<Attempt | null> {
  const { ctx, timings } = pass.engine;
  const last = transaction.attempts.at(-1);
  if (!last || !seesThrough(wallet.row.state)) return null;
  const { transfer } = transaction;
  const market = await pass.market();
  const kind = transfer.cancelRequestedAt === null ? "payment" : "cancellation";
  if (kind === last.kind && !isBumpDue(pass, transaction, last, chainNonce, market)) return null;
  const fees = bumpedFees(last, market, pass.chain.maxFeePerGas);
  if (fees === null) {
    await postponeBumpNow(pass, transaction);
    await restTransfers(ctx.db, [transfer.id], {
      kind: "chain_unavailable",
      reason: "It is not mined, and the configured cap leaves no room for a higher fee.",
      restMs: timings.lookMs,
    });
    return null;
  }
  const content = { intent: contentOf(pass, transaction, kind), gasLimit: await gasLimitOf(pass, transaction, kind, last) };
  const of = orderOf(transaction);
  const signed = await signAttempt(pass, wallet, { of, kind, nonce: transaction.nonce, fees, ...content });
  if (!isNotSigned(signed)) {
    pass.engine.step("bump_signed", transfer.id);
    const stored = await store(pass, wallet, transaction, signed, last.number + 1);
    if (stored) pass.engine.step("bump_stored", transfer.id);
    return stored;
  }
  if (signed.kind === "unowed") {
    await haltUnowed(pass, [{ transfer, ...signed }]);
    return null;
  }
  const { reason } = signed;
  ctx.log.error({ transfer_id: transfer.id, reason }, "a signer did not sign a further attempt");
  await postponeBumpNow(pass, transaction);
  await restTransfers(ctx.db, [transfer.id], { kind: "chain_unavailable", reason, restMs: timings.lookMs });
  return null;
}

/** The very intent that was stored with the nonce. A payment's is compared with the hash that was stored with it, and with what the transfer owes. */
function contentOf(pass: Pass, { intent, intentHash: kept, walletAddress, transfer }: OpenTransaction, kind: Attempt["kind"]): EvmIntent {
  if (kind === "cancellation") return cancellationOf(walletAddress);
  const hashes = [intent, intentOf(transfer)].map((each) => intentHash(pass.chain.chain, walletAddress, each));
  if (hashes.some((hash) => hash !== kept)) throw new Error("a transaction's stored intent is not the one it was made with");
  return intent;
}

/**
 * Estimated again: since the last attempt the recipient may have been emptied. Never less than before, and the same if it cannot be
 * estimated.
 */
async function gasLimitOf(pass: Pass, { walletAddress, intent }: OpenTransaction, kind: Attempt["kind"], last: Attempt): Promise<bigint> {
  if (kind === "cancellation") return await emptyTransferGas(pass, walletAddress, last.gasLimit);
  const simulation = await pass.node.simulate(walletAddress, intent).catch((error: unknown) => {
    if (error instanceof EvmRejected) return null;
    throw error;
  });
  const wanted = simulation?.outcome === "passes" ? gasLimitFor(simulation.gas) : 0n;
  return wanted > last.gasLimit ? wanted : last.gasLimit;
}

function isBumpDue(pass: Pass, transaction: OpenTransaction, last: Attempt, chainNonce: number, market: EvmFeeMarket): boolean {
  if (transaction.transfer.bumpRequestedAt !== null) return true;
  if (transaction.bumpAt > pass.engine.ctx.clock.now()) return false;
  return transaction.nonce === chainNonce || last.maxFeePerGas < market.baseFeePerGas;
}

async function store(
  pass: Pass,
  wallet: LeasedWallet,
  transaction: OpenTransaction,
  signed: SignedAttempt,
  number: number,
): Promise<Attempt | null> {
  return await pass.engine.ctx.db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, transaction.transfer.id);
    if (transfer?.state !== "signed" && transfer?.state !== "broadcast") return null;
    if (!(await lockWalletLease(tx, wallet.lease))) throw new LeaseLost("the wallet was taken by another worker");
    const attempt = { ...signed, transactionId: transaction.id, number, signedAt: await readBusinessNow(tx) };
    await insertAttempts(tx, [attempt]);
    await postponeBump(tx, transaction.id, pass.chain.bumpAfterSeconds);
    await clearBumpWish(tx, transfer.id);
    return { ...attempt, broadcastAt: null };
  });
}

async function postponeBumpNow({ engine, chain }: Pass, { id, transfer }: OpenTransaction): Promise<void> {
  await engine.ctx.db.transaction(async (tx) => {
    await postponeBump(tx, id, chain.bumpAfterSeconds);
    await clearBumpWish(tx, transfer.id);
  });
}
