import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { holdsOrder, restOrder } from "#db/queries/fiat-work.ts";
import { listWalletAddresses } from "#db/queries/wallets.ts";
import { lockSafe, lockWithdrawal, safeIsBeingSwept } from "#db/queries/withdrawals.ts";
import type { TransferCall } from "#server/domain/transfer.ts";
import type { Withdrawal } from "#server/domain/withdrawal.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { changeWithdrawal } from "./change-withdrawal.ts";
import type { FiatEngine, HeldOrder } from "./engine.ts";

/** Whoever waits for its Safe is woken when that is free; this is the net under it. */
const QUEUE_SECONDS = 5;
const RETRY_SECONDS = 5;

/**
 * Owes the transfer that takes the crypto out of the Safe. One sweep of a Safe at a time: a Safe counts its own transactions, so
 * that two which were planned at the same count would shut each other out. One that failed leaves the count as it was, and the next
 * is planned on what the chain says then.
 */
export async function sweepSafe(engine: FiatEngine, held: HeldOrder, withdrawal: Withdrawal): Promise<void> {
  const { db } = engine.ctx;
  const rest = (seconds: number, reason: string) => restOrder(db, held.table, held.lease, { seconds, reason, tried: true });
  const since = await readBusinessNow(db);
  if (await safeIsBeingSwept(db, withdrawal, since)) return await rest(QUEUE_SECONDS, "Another withdrawal from this Safe comes first.");
  const [treasury] = await listWalletAddresses(db, withdrawal.chain);
  if (treasury === undefined) return await rest(RETRY_SECONDS, "No worker has opened a treasury wallet on this chain yet.");
  const { chain, safeAddress, tokenAddress, sourceAmountBase: amountBase } = withdrawal;
  let call: TransferCall;
  try {
    call = await engine.planSweep({ chain, safeAddress, tokenAddress, amountBase, recipient: treasury });
  } catch (error) {
    if (error instanceof Unreachable) return await rest(RETRY_SECONDS, "The chain cannot be asked about the Safe.");
    if (error instanceof Rejected) return await giveUp(engine, held, error.message);
    throw error;
  }
  engine.step("sweep_planned", withdrawal.id);
  const owed = await db.transaction((tx) => oweSweep(tx, held, { treasury, call, since }));
  if (owed === "busy") return await rest(QUEUE_SECONDS, "Another withdrawal from this Safe comes first.");
  engine.step("sweep_written", withdrawal.id);
}

type Plan = { treasury: string; call: TransferCall /** Before the Safe was looked at. */; since: Date };

async function oweSweep(tx: Database, { table, lease }: HeldOrder, { treasury, call, since }: Plan): Promise<"owed" | "busy" | "lost"> {
  const withdrawal = await lockWithdrawal(tx, lease.id);
  if (withdrawal?.step !== "reserved" || !(await holdsOrder(tx, table, lease))) return "lost";
  await lockSafe(tx, withdrawal);
  if (await safeIsBeingSwept(tx, withdrawal, since)) return "busy";
  const now = await readBusinessNow(tx);
  await changeWithdrawal(tx, withdrawal, { type: "sweep", treasuryAddress: treasury }, now);
  await enqueueTransfer(tx, {
    purpose: "sweep",
    ownerId: withdrawal.id,
    partnerId: withdrawal.partnerId,
    chain: withdrawal.chain,
    currency: withdrawal.sourceCurrency,
    tokenAddress: withdrawal.tokenAddress,
    tokenDecimals: withdrawal.tokenDecimals,
    amountBase: withdrawal.sourceAmountBase,
    recipient: treasury,
    call,
    now,
  });
  return "owed";
}

/** It is a fact that this Safe does not obey us: nothing was taken, and the pool is free again. */
async function giveUp(engine: FiatEngine, { table, lease }: HeldOrder, reason: string): Promise<void> {
  await engine.ctx.db.transaction(async (tx) => {
    const withdrawal = await lockWithdrawal(tx, lease.id);
    if (withdrawal?.step !== "reserved" || !(await holdsOrder(tx, table, lease))) return;
    await changeWithdrawal(tx, withdrawal, { type: "give_up", reason }, await readBusinessNow(tx));
  });
  engine.step("sweep_written", lease.id);
}
