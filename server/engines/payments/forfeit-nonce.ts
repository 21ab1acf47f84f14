import { lockAdriftPlace } from "#db/queries/transfers/adrift-places.ts";
import { type Attempt, insertAttempts, type OpenTransaction, postponeBump } from "#db/queries/transfers/transactions.ts";
import { holdWalletLease } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { bumpedFees, type EvmFees, firstFees } from "#domain/evm-fees.ts";
import { cancellationOf } from "#domain/evm-intent.ts";
import { seesThrough } from "#domain/wallet.ts";
import { type HeldWallet, LeaseLost, type Round } from "./engine.ts";
import { gasOfNothing } from "./gas-of-nothing.ts";
import { isSignerTrouble } from "./hold-wallets.ts";
import { type SignedAttempt, signAttempt } from "./sign-attempt.ts";

/**
 * The empty transfer that is to spend a nonce which was in vain: one that is stored, or a new one where there is none yet or the last is
 * old. It is stored before anybody sends it. Null where none is there and none can be made just now. A wallet that stands makes one too:
 * as long as it does not, the old bytes may be mined.
 */
export async function forfeitNonce(round: Round, wallet: HeldWallet, place: OpenTransaction): Promise<Attempt | null> {
  const { ctx } = round.engine;
  const last = place.attempts.at(-1);
  if (!last) throw new Error("a transaction has no attempt");
  const before = last.kind === "cancellation" ? last : null;
  if (!seesThrough(wallet.row.state) || (before !== null && place.bumpAt > ctx.clock.now())) return before;
  const fields = { transfer_id: place.transfer.id, wallet: place.walletAddress, nonce: place.nonce };
  const fees = await feesOf(round, last);
  if (fees === null) {
    ctx.log.warn(fields, "a nonce that was in vain is to be spent, and the configured cap leaves no room for the fee");
    return before;
  }
  try {
    const intent = cancellationOf(place.walletAddress);
    const gasLimit = await gasOfNothing(round, place.walletAddress, last.gasLimit);
    const signed = await signAttempt(round, wallet, { kind: "cancellation", intent, nonce: place.nonce, gasLimit, fees });
    round.engine.step("forfeit_signed", place.transfer.id);
    const stored = await store(round, wallet, place, { signed, number: last.number + 1 });
    if (stored === null) return null;
    round.engine.step("forfeit_stored", place.transfer.id);
    ctx.log.warn(fields, "a nonce that was in vain is spent on an empty transfer to the wallet itself: the chain dropped its block");
    return stored;
  } catch (error) {
    if (!isSignerTrouble(error)) throw error;
    ctx.log.error({ ...fields, err: error }, "a nonce that was in vain is to be spent, and the signer did not sign");
    return before;
  }
}

/** More than before, which nodes may have in their pools again. Where the cap forbids that of the first one: what the chain asks for now. */
async function feesOf(round: Round, last: Attempt): Promise<EvmFees | null> {
  const [market, cap] = [await round.market(), round.chain.maxFeePerGas];
  return bumpedFees(last, market, cap) ?? (last.kind === "cancellation" ? null : firstFees(market, cap));
}

async function store(
  { chain, engine }: Round,
  wallet: HeldWallet,
  place: OpenTransaction,
  { signed, number }: { signed: SignedAttempt; number: number },
): Promise<Attempt | null> {
  return await engine.ctx.db.transaction(async (tx) => {
    if (!(await lockAdriftPlace(tx, place.id))) return null;
    if (!(await holdWalletLease(tx, wallet.lease))) throw new LeaseLost("the wallet was taken by another worker");
    const attempt = { ...signed, transactionId: place.id, number, signedAt: await readBusinessNow(tx) };
    await insertAttempts(tx, [attempt]);
    await postponeBump(tx, place.id, chain.bumpAfterSeconds);
    return { ...attempt, broadcastAt: null };
  });
}
