import type { Database } from "#db/client.ts";
import { holdsLease } from "#db/lease.ts";
import { restOrder } from "#db/queries/fiat/fiat-work.ts";
import { lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { listReceivingWallets } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { Withdrawal, WithdrawalAction } from "#domain/withdrawal.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { changeWithdrawal, oweItsCrypto } from "#server/services/fiat/change-orders.ts";
import type { FiatEngine, HeldOrder } from "./engine.ts";

const RETRY_SECONDS = 5;

/**
 * Owes the transfer that takes the crypto out of the Safe. Sweeps of one Safe may be under way side by side: they name no nonce of
 * the Safe's, so that none depends on what becomes of another.
 */
export async function sweepSafe(engine: FiatEngine, held: HeldOrder, withdrawal: Withdrawal): Promise<void> {
  const { db } = engine.ctx;
  const rest = (reason: string) => restOrder(db, held.table, held.lease, { seconds: RETRY_SECONDS, reason, tried: true });
  const candidates = await listReceivingWallets(db, withdrawal.chain);
  const [first] = candidates;
  if (first === undefined) return await rest("No treasury wallet on this chain is held by a worker, active and in order just now.");
  let treasury = first;
  const { chain, safeAddress, tokenAddress, sourceAmountBase: amountBase } = withdrawal;
  let call: TransferCall;
  try {
    call = await engine.planSweep({ chain, safeAddress, tokenAddress, amountBase, recipient: treasury });
    // The Safe's owner is preferred: it will pay out of what it receives, and one key less is involved.
    const owner = candidates.find((address) => address.toLowerCase() === call.sender?.toLowerCase());
    if (owner !== undefined && owner !== treasury) {
      treasury = owner;
      call = await engine.planSweep({ chain, safeAddress, tokenAddress, amountBase, recipient: treasury });
    }
  } catch (error) {
    if (error instanceof Unreachable) return await rest("The chain cannot be asked about the Safe.");
    if (!(error instanceof Rejected)) throw error;
    // A fact: this Safe does not give what was promised. Nothing was taken, and the pool is free again.
    return await move(engine, held, { type: "give_up", reason: error.message }, async () => {});
  }
  engine.step("sweep_planned", withdrawal.id);
  await move(engine, held, { type: "sweep", treasuryAddress: treasury }, (tx, now) =>
    oweItsCrypto(tx, withdrawal, { purpose: "sweep", recipient: treasury, call, now }),
  );
}

/** Moves the withdrawal, with what else belongs to that, unless another worker has it by now. */
async function move(
  engine: FiatEngine,
  { table, lease }: HeldOrder,
  action: WithdrawalAction,
  also: (tx: Database, now: Date) => Promise<void>,
): Promise<void> {
  await engine.ctx.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, lease.id);
    if (withdrawal?.step !== "reserved" || !(await holdsLease(tx, table, lease))) return;
    const now = await readBusinessNow(tx);
    await changeWithdrawal(tx, withdrawal, action, now);
    await also(tx, now);
  });
  engine.step("sweep_written", lease.id);
}
