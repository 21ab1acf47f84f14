import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { oweTransfer } from "#db/queries/transfers/owe-transfer.ts";
import { insertAttempts, insertTransactions } from "#db/queries/transfers/transactions.ts";
import { saveTransfer } from "#db/queries/transfers/transfers.ts";
import { lockWalletLease } from "#db/queries/transfers/wallets.ts";
import { firstFees } from "#domain/evm-fees.ts";
import { cancellationOf, intentHash } from "#domain/evm-intent.ts";
import { newId } from "#domain/ids.ts";
import { journalOwner } from "#domain/journal.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import { seesThrough } from "#domain/wallet.ts";
import { type LeasedWallet, LeaseLost, type Pass } from "#server/engines/payments/engine.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { emptyTransferGas } from "./empty-transfer-gas.ts";
import { isNotSigned, type SignedAttempt, signAttempt } from "./sign-attempt.ts";

/**
 * Gives nonces that no payment has, below what the wallet has signed, to empty transfers to itself: without them nothing later can be
 * mined. They are signed, stored and looked after like every payment. A wallet that is halted or is out of use fills nothing.
 */
export async function fillFreeNonces(pass: Pass, wallet: LeasedWallet, free: readonly number[]): Promise<void> {
  if (wallet.halt !== null || !seesThrough(wallet.row.state)) return;
  for (const nonce of free) await fill(pass, wallet, nonce);
}

const UNSIGNED = "a nonce is missing, and the signer did not sign what would fill it";

const ownerIdOf = ({ row }: LeasedWallet, nonce: number) => `${row.id}:${nonce}`;

async function fill(pass: Pass, wallet: LeasedWallet, nonce: number): Promise<void> {
  const { ctx } = pass.engine;
  const fields = { chain: pass.chain.chain, wallet: wallet.row.address, nonce };
  const fees = firstFees(await pass.market(), pass.chain.maxFeePerGas);
  if (fees === null) return ctx.log.warn(fields, "a nonce is missing, and the network's fee is above the configured cap");
  try {
    const intent = cancellationOf(wallet.row.address);
    const gasLimit = await emptyTransferGas(pass, wallet.row.address);
    const of = { filler: journalOwner({ purpose: "filler", ownerId: ownerIdOf(wallet, nonce) }) };
    const attempt = await signAttempt(pass, wallet, { of, kind: "payment", intent, nonce, gasLimit, fees });
    if (isNotSigned(attempt)) return ctx.log.error({ ...fields, reason: attempt.reason }, UNSIGNED);
    await store(pass, wallet, nonce, attempt);
    ctx.log.warn(fields, "an unused nonce is filled with an empty transfer to the wallet itself");
  } catch (error) {
    if (!(error instanceof Unreachable) && !(error instanceof Rejected)) throw error;
    ctx.log.error({ ...fields, err: error }, UNSIGNED);
  }
}

async function store(pass: Pass, wallet: LeasedWallet, nonce: number, attempt: SignedAttempt): Promise<void> {
  const { chain, engine } = pass;
  const { id: walletId, address } = wallet.row;
  await engine.ctx.db.transaction(async (tx) => {
    if (!(await lockWalletLease(tx, wallet.lease))) throw new LeaseLost("the wallet was taken by another worker");
    const now = await readBusinessNow(tx);
    const transfer = await oweTransfer(tx, fillerOf(pass, wallet, nonce, now));
    if (transfer === null) return;
    const intent = cancellationOf(address);
    const place = { id: newId("transaction", now), transferId: transfer.id, walletId, nonce };
    const hash = intentHash(chain.chain, address, intent);
    await insertTransactions(tx, [{ ...place, intent, intentHash: hash, createdAt: now }], chain.bumpAfterSeconds);
    await insertAttempts(tx, [{ ...attempt, transactionId: place.id, number: 1, signedAt: now }]);
    await saveTransfer(tx, advanceTransfer(transfer, { type: "sign" }, now), now);
  });
}

function fillerOf({ chain }: Pass, wallet: LeasedWallet, nonce: number, now: Date): Transfer {
  const { row } = wallet;
  const { currency, decimals } = chain.native;
  return newTransfer({
    purpose: "filler",
    ownerId: ownerIdOf(wallet, nonce),
    partnerId: null,
    chain: chain.chain,
    now,
    currency,
    tokenAddress: null,
    tokenDecimals: decimals,
    amountBase: 0n,
    recipient: row.address,
    call: { ...cancellationOf(row.address), sender: row.address },
  });
}
