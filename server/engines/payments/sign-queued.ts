import { randomUUID } from "node:crypto";
import { holdsLease } from "#db/lease.ts";
import { findOpenHalts } from "#db/queries/halts/lane-halts.ts";
import { insertAttempt, insertTransaction } from "#db/queries/transfers/transactions.ts";
import { claimQueuedTransfers, lockTransfer, restTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { holdWalletLease, listAbandonedWallets, spendNonce } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { firstFees } from "#domain/evm-fees.ts";
import { intentHash, intentOf, recipientFault } from "#domain/evm-intent.ts";
import { newId } from "#domain/ids.ts";
import { haltReason } from "#domain/lane.ts";
import { advanceTransfer, type Transfer, type WaitingKind } from "#domain/transfer.ts";
import { inParallel } from "#server/engines/duty.ts";
import { isHalted } from "#server/services/halts/is-halted.ts";
import { alignNonce, UNCERTAIN } from "./align-nonce.ts";
import { countMove, type HeldWallet, LeaseLost, type Round, tendOne } from "./engine.ts";
import { type Holding, signerTrouble } from "./hold-wallets.ts";
import { judgeTransfer, type Verdict } from "./judge-transfer.ts";
import { type Purse, planPayments } from "./plan-payments.ts";
import { refuseTransfer } from "./refuse-transfer.ts";
import { type SignedAttempt, signAttempt } from "./sign-attempt.ts";

const SIMULATIONS_AT_ONCE = 8;

/**
 * Gives queued transfers their nonce and their signed bytes, both in one transaction, before any byte goes to the network: a crash
 * burns no nonce. What can be told beforehand is told beforehand: a recipient that the token refuses fails here, with nothing
 * signed; a treasury that holds too little waits.
 *
 * @returns whether there may be more at once
 */
export async function signQueued(round: Round, holding: Holding): Promise<boolean> {
  const { claims, ctx, pace, step } = round.engine;
  const usable = holding.wallets.filter(({ row, halt }) => row.state === "active" && halt === null);
  const trouble = troubleOf(holding, usable);
  const room = trouble ? pace.batch : usable.reduce((sum, wallet) => sum + Math.max(0, pace.maxInFlight - wallet.inFlight.count), 0);
  if (room === 0 || (usable.length === 0 && trouble === null)) return false;
  const token = randomUUID();
  const limit = Math.min(room, pace.batch);
  const held = holding.wallets.map(({ row }) => row.address);
  const wallets = { held, known: knownWallets(round, round.chain.chain) };
  const seconds = pace.leaseSeconds;
  const claimed = await claimQueuedTransfers(ctx.db, { chain: round.chain.chain, token, limit, seconds, wallets });
  if (claimed.length === 0) return false;
  const leases = claimed.map(({ id }) => ({ id, token }));
  claims.take(leases);
  try {
    step("claimed");
    if (trouble) await restAll(round, claimed, trouble);
    else await signClaimed(round, usable, claimed, token);
  } finally {
    await claims.giveBack(leases);
  }
  return trouble === null && claimed.length === limit;
}

/** Why nothing of the chain can be signed at all. */
function troubleOf(holding: Holding, usable: readonly HeldWallet[]): Why | null {
  if (holding.trouble !== null) return { kind: "chain_unavailable", reason: holding.trouble };
  return holding.wallets.length === 0 || usable.length > 0 ? null : whyNone(holding.wallets);
}

type Why = { kind: WaitingKind; reason: string };

async function signClaimed(round: Round, usable: readonly HeldWallet[], claimed: readonly Transfer[], token: string): Promise<void> {
  const { ctx, pace } = round.engine;
  const ready: HeldWallet[] = [];
  for (const wallet of usable) if (await alignNonce(round, wallet)) ready.push(wallet);
  const payable = await refuseHopeless(round, await restHalted(round, claimed));
  if (ready.length === 0) return await restAll(round, payable, whyNone(usable));
  const plan = await planPayments(round, ready, payable);
  for (const { transfer, ...why } of plan.waiting) await restTransfer(ctx.db, transfer.id, { ...why, restMs: pace.restMs });
  await inParallel(plan.purses.map((purse) => signAll(round, purse, token)));
}

/** Why none of these wallets signs anything new. */
function whyNone(wallets: readonly HeldWallet[]): Why {
  const halt = wallets.find((wallet) => wallet.halt !== null)?.halt;
  if (halt) return { kind: "review", reason: haltReason(halt) };
  if (wallets.some(({ row }) => row.state === "active")) return { kind: "chain_unavailable", reason: UNCERTAIN };
  return { kind: "review", reason: "No treasury wallet of this chain is active." };
}

async function restAll({ engine }: Round, transfers: readonly Transfer[], why: Why): Promise<void> {
  for (const { id } of transfers) await restTransfer(engine.ctx.db, id, { ...why, restMs: engine.pace.restMs });
}

/** Leaves alone what is owed for a partner whose lane stands, and answers the rest. */
async function restHalted(round: Round, claimed: readonly Transfer[]): Promise<Transfer[]> {
  const partners = new Set(claimed.flatMap(({ partnerId }) => (partnerId === null ? [] : [partnerId])));
  const halts = await findOpenHalts(
    round.engine.ctx.db,
    [...partners].map((key) => ({ kind: "partner", key })),
  );
  for (const halt of halts) {
    const stopped = claimed.filter(({ partnerId }) => partnerId === halt.lane.key);
    await restAll(round, stopped, { kind: "review", reason: haltReason(halt) });
  }
  return claimed.filter(({ partnerId }) => halts.every(({ lane }) => lane.key !== partnerId));
}

/** The addresses of all wallets that this worker has a signer of, on one chain or on any. */
function knownWallets({ engine }: Round, chain?: string): string[] {
  const pairs = [...engine.memory.walletIds.keys()].map((key) => key.split(" "));
  return pairs.flatMap(([on, address]) => (address !== undefined && (chain === undefined || on === chain) ? [address] : []));
}

async function refuseHopeless(round: Round, claimed: readonly Transfer[]): Promise<Transfer[]> {
  const treasury = knownWallets(round);
  const isSwept = claimed.some(({ purpose }) => purpose === "sweep");
  const abandoned = isSwept ? await listAbandonedWallets(round.engine.ctx.db, round.chain.chain) : [];
  const payable: Transfer[] = [];
  for (const transfer of claimed) {
    const isLost = transfer.purpose === "sweep" && abandoned.includes(transfer.recipient.toLowerCase());
    const fault = isLost ? "The treasury wallet that was to receive it is out of use." : recipientFault(transfer, treasury);
    if (fault === null) payable.push(transfer);
    else await tendOne(round, transfer.id, () => refuseTransfer(round.engine, transfer.id, fault));
  }
  return payable;
}

/** One wallet's payments, in order; the simulations run ahead of the signatures, several at once. */
async function signAll(round: Round, purse: Purse, token: string): Promise<void> {
  for (let from = 0; from < purse.payments.length; from += SIMULATIONS_AT_ONCE) {
    const some = purse.payments.slice(from, from + SIMULATIONS_AT_ONCE);
    const judged = await Promise.all(some.map((transfer) => judge(round, purse, transfer)));
    for (const { transfer, verdict } of judged) {
      await tendOne(round, transfer.id, async () => {
        if (verdict instanceof Error) throw verdict;
        await act(round, purse, transfer, verdict, token);
      });
    }
  }
}

type Judged = { transfer: Transfer; verdict: Verdict | Error };

/** An error is kept, so that one transfer's does not hide the others'. */
async function judge(round: Round, purse: Purse, transfer: Transfer): Promise<Judged> {
  try {
    return { transfer, verdict: await judgeTransfer(round, purse.wallet.row.address, transfer) };
  } catch (error) {
    return { transfer, verdict: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function act(round: Round, purse: Purse, transfer: Transfer, verdict: Verdict, token: string): Promise<void> {
  const { ctx, pace, step } = round.engine;
  step("simulated", transfer.id);
  const rest = (kind: WaitingKind, reason: string) => restTransfer(ctx.db, transfer.id, { kind, reason, restMs: pace.restMs });
  if (verdict.outcome === "refused") return await refuseTransfer(round.engine, transfer.id, verdict.reason);
  if (verdict.outcome === "waits") return await rest(verdict.kind, verdict.reason);
  const fees = firstFees(await round.market(), round.chain.maxFeePerGas);
  if (fees === null) return await rest("chain_unavailable", "The network's fee is above the configured cap.");
  const intent = intentOf(transfer);
  const cost = verdict.gasLimit * fees.maxFeePerGas + intent.valueBase + (await round.dataFee());
  const currency = round.chain.native.currency;
  if (purse.nativeBase < cost)
    return await rest(
      "treasury_funding",
      `Treasury wallet ${purse.wallet.row.address} holds too little ${currency} for the network's fee.`,
    );
  let attempt: SignedAttempt;
  try {
    attempt = await signAttempt(round, purse.wallet, {
      kind: "payment",
      intent,
      nonce: purse.wallet.nextNonce,
      gasLimit: verdict.gasLimit,
      fees,
    });
  } catch (error) {
    ctx.log.error({ transfer_id: transfer.id, wallet: purse.wallet.row.address, err: error }, "a signer did not sign");
    return await rest("chain_unavailable", signerTrouble(error));
  }
  step("signed", transfer.id);
  if (!(await store(round, purse.wallet, transfer, attempt, token))) return;
  purse.nativeBase -= cost;
  purse.wallet.nextNonce += 1;
  step("stored", transfer.id);
}

/** Nonce, signed bytes and state, together or not at all. False: somebody else has the transfer now, and nothing was spent. */
async function store(round: Round, wallet: HeldWallet, transfer: Transfer, attempt: SignedAttempt, token: string): Promise<boolean> {
  const intent = intentOf(transfer);
  const after = await round.engine.ctx.db.transaction(async (tx) => {
    const locked = await lockTransfer(tx, transfer.id);
    if (locked?.state !== "queued" || !(await holdsLease(tx, "transfers", { id: transfer.id, token }))) return null;
    if (locked.partnerId !== null && (await isHalted(tx, [{ kind: "partner", key: locked.partnerId }]))) return null;
    const fenced = (await holdWalletLease(tx, wallet.lease)) && (await spendNonce(tx, wallet.lease, wallet.nextNonce, round.head.height));
    if (!fenced) throw new LeaseLost("the wallet was taken by another worker, or stopped");
    const now = await readBusinessNow(tx);
    const transactionId = newId("transaction", now);
    const place = { id: transactionId, transferId: transfer.id, walletId: wallet.row.id, nonce: wallet.nextNonce };
    const hash = intentHash(round.chain.chain, wallet.row.address, intent);
    await insertTransaction(tx, { ...place, intent, intentHash: hash, bumpAfterSeconds: round.chain.bumpAfterSeconds, now });
    await insertAttempt(tx, { ...attempt, transactionId, number: 1, signedAt: now });
    const signed = advanceTransfer(locked, { type: "sign" }, now);
    await saveTransfer(tx, signed, now);
    return signed;
  });
  if (after !== null) countMove(round.engine, "queued", after);
  return after !== null;
}
