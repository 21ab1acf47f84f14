import { randomUUID } from "node:crypto";
import { notifyOthers } from "#db/queries/transfers/left-transfers.ts";
import { claimQueuedTransfers, restTransfers } from "#db/queries/transfers/transfers.ts";
import { listAbandonedWallets } from "#db/queries/transfers/wallets.ts";
import { recipientFault } from "#domain/evm-intent.ts";
import { haltReason } from "#domain/halt-scope.ts";
import type { Transfer } from "#domain/transfer.ts";
import { inParallel } from "#server/engines/duty.ts";
import { alignNonce, UNCERTAIN } from "#server/engines/payments/claiming/align-nonce.ts";
import type { LeasedWallets } from "#server/engines/payments/claiming/lease-wallets.ts";
import { leave, leftOn, listOthers } from "#server/engines/payments/claiming/leave-to-others.ts";
import { type LeasedWallet, type Pass, processOne, type Unknown } from "#server/engines/payments/engine.ts";
import { planPayments } from "./plan-payments.ts";
import { refuseTransfer } from "./refuse-transfer.ts";
import { BLOCK_MS, restAll, type Why } from "./rest-all.ts";
import { restHalted } from "./rest-halted.ts";
import { screenPayments } from "./screen-payments.ts";
import { signForWallet } from "./sign-for-wallet.ts";

/**
 * Has queued transfers signed and stored, a batch at a time. What can be known beforehand is reported beforehand: a recipient that the
 * token refuses fails here, with nothing signed; a treasury that holds too little waits.
 *
 * @returns whether there may be more at once
 */
export async function signQueued(pass: Pass, holding: LeasedWallets): Promise<boolean> {
  const { claims, ctx, memory, timings, step } = pass.engine;
  const usable = usableOf(holding);
  const trouble = troubleOf(holding, usable);
  const room = trouble ? timings.batch : usable.reduce((sum, wallet) => sum + Math.max(0, timings.maxInFlight - wallet.inFlight.count), 0);
  if (room === 0 || (usable.length === 0 && trouble === null)) return false;
  // What keeps this worker from signing does not keep another.
  if (trouble && (await listOthers(pass)).length > 0) return false;
  const token = randomUUID();
  const limit = Math.min(room, timings.batch * Math.max(1, usable.length));
  const held = holding.wallets.map(({ row }) => row.address);
  const wallets = { held, known: knownWallets(pass, pass.chain.chain) };
  const seconds = timings.leaseSeconds;
  const left = leftOn(pass);
  const leftNow = left.map(({ what }) => what);
  const claimed = await claimQueuedTransfers(ctx.db, { chain: pass.chain.chain, token, limit, seconds, wallets, left: leftNow });
  if (claimed.length === 0) return false;
  const leases = claimed.map(({ id }) => ({ id, token }));
  claims.take(leases);
  memory.claimed.set(pass.chain.chain, leases);
  try {
    step("claimed");
    if (trouble) {
      await restAll(pass, claimed, trouble);
      return false;
    }
    const isFull = await signClaimed(pass, holding, claimed, token);
    return claimed.length === limit && !isFull;
  } finally {
    memory.claimed.delete(pass.chain.chain);
    await claims.releaseAll(leases);
    if (leftOn(pass) !== left) await notifyOthers(ctx.db);
  }
}

function usableOf({ wallets }: LeasedWallets): LeasedWallet[] {
  return wallets.filter(({ row, halt }) => row.state === "active" && halt === null);
}

/** Why nothing of the chain can be signed at all. */
function troubleOf(holding: LeasedWallets, usable: readonly LeasedWallet[]): Why | null {
  if (holding.trouble !== null) return { kind: "chain_unavailable", reason: holding.trouble };
  return holding.wallets.length === 0 || usable.length > 0 ? null : whyNone(holding.wallets);
}

/** Answers whether something is left for the next block, because the wallets that can pay it have no room: the same again at once changes nothing. */
async function signClaimed(pass: Pass, holding: LeasedWallets, claimed: readonly Transfer[], token: string): Promise<boolean> {
  const usable = usableOf(holding);
  // The fees are asked for together with the counts: one wait.
  const [unknown, , ...aligned] = await inParallel([pass.unknown(), pass.market(), ...usable.map((wallet) => alignNonce(pass, wallet))]);
  const ready = usable.filter((_, index) => aligned[index]);
  const candidates = await refuseHopeless(pass, await restHalted(pass, claimed));
  for (const one of unknown.values()) {
    await restAll(pass, candidates, { kind: "chain_unavailable", reason: unknownReason(one) });
    return false;
  }
  if (ready.length === 0) {
    if ((await listOthers(pass)).length > 0) leave(pass, ["all"]);
    else await restAll(pass, candidates, whyNone(usable));
    return false;
  }
  const { payable, screenings } = await screenPayments(pass, candidates, token);
  const payers = { ready, known: knownWallets(pass, pass.chain.chain), others: () => listOthers(pass) };
  const plan = await planPayments(pass, payers, payable);
  leave(pass, plan.left);
  for (const { transfer, ...why } of plan.waiting) await restAll(pass, [transfer], why);
  const { ctx, timings } = pass.engine;
  await restTransfers(ctx.db, plan.later, { kind: null, restMs: Math.min(timings.restMs, BLOCK_MS) });
  await inParallel(plan.walletBudgets.map((walletBudget) => signForWallet(pass, walletBudget, screenings, token)));
  return plan.later.length > 0;
}

function unknownReason({ address }: Unknown): string {
  return `Treasury wallet ${address} is said to have transactions that this service does not know: nothing is signed on its chain before that is judged.`;
}

/** Why none of these wallets signs anything new. */
function whyNone(wallets: readonly LeasedWallet[]): Why {
  const halt = wallets.find((wallet) => wallet.halt !== null)?.halt;
  if (halt) return { kind: "review", reason: haltReason(halt) };
  if (wallets.some(({ row }) => row.state === "active")) return { kind: "chain_unavailable", reason: UNCERTAIN };
  return { kind: "review", reason: "No treasury wallet of this chain is active." };
}

/** The addresses of all wallets that this worker has a signer of, on one chain or on any. */
function knownWallets({ engine }: Pass, chain?: string): string[] {
  const pairs = [...engine.memory.walletIds.keys()].map((key) => key.split(" "));
  return pairs.flatMap(([on, address]) => (address !== undefined && (chain === undefined || on === chain) ? [address] : []));
}

async function refuseHopeless(pass: Pass, claimed: readonly Transfer[]): Promise<Transfer[]> {
  const treasury = knownWallets(pass);
  const isSwept = claimed.some(({ purpose }) => purpose === "sweep");
  const abandoned = isSwept ? await listAbandonedWallets(pass.engine.ctx.db, pass.chain.chain) : [];
  const payable: Transfer[] = [];
  for (const transfer of claimed) {
    const isLost = transfer.purpose === "sweep" && abandoned.includes(transfer.recipient.toLowerCase());
    const isIdle = transfer.purpose === "allowance" && pass.chain.packingContract === null;
    const lost = isLost ? "The treasury wallet that was to receive it is out of use." : null;
    const fault = isIdle ? "Payments are not packed on this chain." : (lost ?? recipientFault(transfer, treasury));
    if (fault === null) payable.push(transfer);
    else await processOne(pass, transfer.id, () => refuseTransfer(pass.engine, transfer.id, fault));
  }
  return payable;
}
