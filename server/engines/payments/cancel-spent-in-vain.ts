import { listSpentInVain, type SpentInVain } from "#db/queries/transfers/superseded-transactions.ts";
import { type Attempt, insertAttempts } from "#db/queries/transfers/transactions.ts";
import { holdWalletLease } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { bumpedFees } from "#domain/evm-fees.ts";
import { cancellationOf } from "#domain/evm-intent.ts";
import { seesThrough } from "#domain/wallet.ts";
import { EvmRejected, Rejected, Unreachable } from "#server/ports.ts";
import { type HeldWallet, LeaseLost, type Round } from "./engine.ts";
import { FILLER_GAS } from "./fill-free-nonces.ts";
import { signAttempt } from "./sign-attempt.ts";

const AT_ONCE = 16;

/**
 * A nonce that was spent in vain is gone from the chain again: a reorganisation deeper than the confirmations has dropped the reverted payment.
 * Its bytes must not go out again, since it was made anew under another nonce or told as failed, and nothing later is mined while this one is missing.
 * An empty transfer to the wallet itself takes its place, as a further attempt, stored before it is sent; it pays more than what it replaces.
 *
 * @returns how many such nonces there are, up to a few
 */
export async function cancelSpentInVain(
  round: Round,
  wallet: HeldWallet,
  range: { from: number; below: number },
  isCertain: () => boolean,
): Promise<number> {
  const gone = await listSpentInVain(round.engine.ctx.db, wallet.row.id, range, AT_ONCE);
  const maySign = wallet.halt === null && seesThrough(wallet.row.state);
  for (const one of gone) {
    const last = one.attempts.at(-1);
    if (last?.kind === "cancellation") await send(round, wallet, one.nonce, last.rawBytes);
    else if (last !== undefined && isCertain() && maySign) await cancel(round, wallet, one, last);
  }
  return gone.length;
}

async function cancel(round: Round, wallet: HeldWallet, { id, nonce }: SpentInVain, last: Attempt): Promise<void> {
  const { ctx } = round.engine;
  const fields = { chain: round.chain.chain, wallet: wallet.row.address, nonce };
  const fees = bumpedFees(last, await round.market(), round.chain.maxFeePerGas);
  if (fees === null) return ctx.log.warn(fields, "a nonce is missing, and the network's fee is above the configured cap");
  try {
    const intent = cancellationOf(wallet.row.address);
    const signed = await signAttempt(round, wallet, { kind: "cancellation", intent, nonce, gasLimit: FILLER_GAS, fees });
    await ctx.db.transaction(async (tx) => {
      if (!(await holdWalletLease(tx, wallet.lease))) throw new LeaseLost("the wallet was taken by another worker");
      await insertAttempts(tx, [{ ...signed, transactionId: id, number: last.number + 1, signedAt: await readBusinessNow(tx) }]);
    });
    ctx.log.error(fields, "the chain forgot a reverted payment: an empty transfer to the wallet itself takes its nonce");
    await send(round, wallet, nonce, signed.rawBytes);
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof Rejected)) throw error;
    ctx.log.error({ ...fields, err: error }, "a nonce is missing, and the signer did not sign what would fill it");
  }
}

async function send({ node, engine }: Round, { row }: HeldWallet, nonce: number, rawBytes: string): Promise<void> {
  await node.send(rawBytes).catch((error: unknown) => {
    if (!(error instanceof EvmRejected)) throw error;
    engine.ctx.log.warn({ wallet: row.address, nonce, err: error }, "the node does not take what would fill a missing nonce");
  });
}
