import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockOrphanedNonce } from "#db/queries/transfers/orphaned-nonces.ts";
import { type Attempt, insertAttempts, type OpenTransaction, postponeBump } from "#db/queries/transfers/transactions.ts";
import { lockWalletLease } from "#db/queries/transfers/wallets.ts";
import { bumpedFees, type EvmFees, firstFees } from "#domain/evm-fees.ts";
import { cancellationOf } from "#domain/evm-intent.ts";
import { seesThrough } from "#domain/wallet.ts";
import { type LeasedWallet, LeaseLost, type Pass } from "#server/engines/payments/engine.ts";
import { emptyTransferGas } from "#server/engines/payments/signing/empty-transfer-gas.ts";
import { isNotSigned, type SignedAttempt, signAttempt } from "#server/engines/payments/signing/sign-attempt.ts";
import { orderOf } from "#server/services/transfers/journal-entries.ts";

/**
 * The empty transfer that spends a superseded nonce: the stored one, or a new one if there is none yet or the last one is old. It is stored
 * before anybody sends it. Null if there is none and none can be made right now. A halted wallet makes one too: until then, the old bytes
 * may be mined.
 */
export async function cancelNonce(pass: Pass, wallet: LeasedWallet, place: OpenTransaction): Promise<Attempt | null> {
  const { ctx } = pass.engine;
  const last = place.attempts.at(-1);
  if (!last) throw new Error("a transaction has no attempt");
  const before = last.kind === "cancellation" ? last : null;
  if (!seesThrough(wallet.row.state) || (before !== null && place.bumpAt > ctx.clock.now())) return before;
  const fields = { transfer_id: place.transfer.id, wallet: place.walletAddress, nonce: place.nonce };
  const fees = await feesOf(pass, last);
  if (fees === null) {
    ctx.log.warn(fields, "a nonce that was spent without a payment is to be spent, and the configured cap leaves no room for the fee");
    return before;
  }
  const intent = cancellationOf(place.walletAddress);
  const gasLimit = await emptyTransferGas(pass, place.walletAddress, last.gasLimit);
  const of = orderOf(place);
  const signed = await signAttempt(pass, wallet, { of, kind: "cancellation", intent, nonce: place.nonce, gasLimit, fees });
  if (isNotSigned(signed)) {
    ctx.log.error(
      { ...fields, reason: signed.reason },
      "a nonce that was spent without a payment is to be spent, and the signer did not sign",
    );
    return before;
  }
  pass.engine.step("forfeit_signed", place.transfer.id);
  const stored = await store(pass, wallet, place, { signed, number: last.number + 1 });
  if (stored === null) return null;
  pass.engine.step("forfeit_stored", place.transfer.id);
  ctx.log.warn(
    fields,
    "a nonce that was spent without a payment is spent on an empty transfer to the wallet itself: the chain dropped its block",
  );
  return stored;
}

/**
 * Above the earlier fees, whose transactions may be in nodes' pools again. If the cap forbids that for the first one: the chain's present
 * fees.
 */
async function feesOf(pass: Pass, last: Attempt): Promise<EvmFees | null> {
  const [market, cap] = [await pass.market(), pass.chain.maxFeePerGas];
  return bumpedFees(last, market, cap) ?? (last.kind === "cancellation" ? null : firstFees(market, cap));
}

async function store(
  { chain, engine }: Pass,
  wallet: LeasedWallet,
  place: OpenTransaction,
  { signed, number }: { signed: SignedAttempt; number: number },
): Promise<Attempt | null> {
  return await engine.ctx.db.transaction(async (tx) => {
    if (!(await lockOrphanedNonce(tx, place.id))) return null;
    if (!(await lockWalletLease(tx, wallet.lease))) throw new LeaseLost("the wallet was taken by another worker");
    const attempt = { ...signed, transactionId: place.id, number, signedAt: await readBusinessNow(tx) };
    await insertAttempts(tx, [attempt]);
    await postponeBump(tx, place.id, chain.bumpAfterSeconds);
    return { ...attempt, broadcastAt: null };
  });
}
