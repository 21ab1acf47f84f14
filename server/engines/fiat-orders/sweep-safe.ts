import type { Database } from "#db/client.ts";
import { holdsLease } from "#db/lease.ts";
import { restOrder } from "#db/queries/fiat/fiat-work.ts";
import { lockWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { holdSigningWallet, listReceivingWallets } from "#db/queries/transfers/wallets.ts";
import type { Finding } from "#domain/payment-check.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { Withdrawal, WithdrawalAction } from "#domain/withdrawal.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { changeWithdrawal, enqueueItsCrypto } from "#server/services/fiat/change-orders.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { askBeforeSweep } from "./ask-before-sweep.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";

type Sweep = { call: TransferCall; finding: Finding | null };

const RETRY_SECONDS = 5;

/**
 * Owes the transfer that takes the crypto out of the Safe. Sweeps of one Safe may be under way side by side: they name no nonce of
 * the Safe's, so that none depends on what becomes of another.
 */
export async function sweepSafe(engine: FiatEngine, held: LeasedOrder, withdrawal: Withdrawal): Promise<void> {
  const { db } = engine.ctx;
  const rest = (reason: string) => restOrder(db, held.table, held.lease, { seconds: RETRY_SECONDS, reason, tried: true });
  const candidates = await listReceivingWallets(db, withdrawal.chain);
  const [first] = candidates;
  if (first === undefined) return await rest("No treasury wallet on this chain is held by a worker, active and in order just now.");
  const known = await askBeforeSweep(engine, withdrawal);
  if (known === "silent") return await rest("The fiat provider cannot be reached.");
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
    if (typeof known !== "string") return await rest(known.words);
    // A fact: this Safe does not give what was promised. Nothing was taken, and the pool is free again.
    await move(engine, held, { type: "give_up", reason: error.message });
    return;
  }
  engine.step("sweep_planned", withdrawal.id);
  const isOwed = await move(
    engine,
    held,
    { type: "sweep", treasuryAddress: treasury },
    { call, finding: known === "nothing" ? null : known },
  );
  if (!isOwed) await rest(OWNER_STOPPED);
}

async function hold(tx: Database, { id: ownerId, partnerId }: Withdrawal, finding: Finding, now: Date): Promise<void> {
  const verdicts = [{ check: "unexplained_payment" as const, stage: "sign" as const, findings: [finding] }];
  await keepVerdicts(tx, [{ purpose: "sweep", ownerId, partnerId, verdicts, holds: [] }], now);
}

/** For the partner as well. */
const OWNER_STOPPED = "The wallet that owns the Safe signs nothing new: it waits until the operator has put another owner in its place.";

/**
 * Moves the withdrawal unless another worker has it by now, and owes its sweep. Answers false, and changes nothing, where the sweep's sender
 * signs nothing new. `finding`: the sweep is held for people.
 */
async function move(engine: FiatEngine, { table, lease }: LeasedOrder, action: WithdrawalAction, sweep?: Sweep): Promise<boolean> {
  const { call, finding } = sweep ?? {};
  const mayBe = await engine.ctx.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, lease.id);
    if (withdrawal?.step !== "reserved" || !(await holdsLease(tx, table, lease))) return true;
    const now = await readBusinessNow(tx);
    // Only the owner can send it: an owner that signs nothing new would block it, whatever happens to the Safe.
    const { chain } = withdrawal;
    if (call?.sender !== undefined && !(await holdSigningWallet(tx, { chain, address: call.sender }))) return false;
    const after = await changeWithdrawal(tx, withdrawal, action, now);
    if (call !== undefined) await enqueueItsCrypto(tx, after, { purpose: "sweep", recipient: after.treasuryAddress ?? "", call, now });
    if (finding) await hold(tx, after, finding, now);
    return true;
  });
  if (mayBe) engine.step("sweep_written", lease.id);
  return mayBe;
}
