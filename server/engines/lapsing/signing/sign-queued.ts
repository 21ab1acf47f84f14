import { randomUUID } from "node:crypto";
import { listStopped } from "#db/queries/halts/scope-halts.ts";
import { claimQueuedTransfers, restTransfers } from "#db/queries/transfers/transfers.ts";
import { listPayingAddresses } from "#db/queries/transfers/wallet-addresses.ts";
import { haltReason } from "#domain/halt-scope.ts";
import { canonicalOf, type LapsingNode } from "#domain/lapsing-chain.ts";
import type { Transfer } from "#domain/transfer.ts";
import { inParallel } from "#server/engines/duty.ts";
import { type LapsingPass, processOne } from "#server/engines/lapsing/engine.ts";
import { refuseTransfer } from "#server/engines/payments/signing/refuse-transfer.ts";
import { screenPayments } from "#server/engines/payments/signing/screen-payments.ts";
import { openChoice } from "./choose-wallet.ts";
import { makePayment } from "./make-payment.ts";
import { packPayments } from "./pack-payments.ts";
import { openBudgets } from "./wallet-budget.ts";

/**
 * Has queued payments of this chain signed and stored, a batch at a time; nothing goes out here.
 *
 * @returns how many were stored, and whether there may be more at once
 */
export async function signQueued(pass: LapsingPass, node: LapsingNode): Promise<{ count: number; isMore: boolean }> {
  const { ctx, timings, claims, step } = pass.engine;
  const { wallets } = pass;
  if (wallets.length === 0) return { count: 0, isMore: false };
  const [token, limit] = [randomUUID(), timings.batch];
  const own = { held: wallets, known: wallets };
  const claimed = await claimQueuedTransfers(ctx.db, {
    chain: pass.chain.chain,
    token,
    limit,
    seconds: timings.leaseSeconds,
    wallets: own,
  });
  if (claimed.length === 0) return { count: 0, isMore: false };
  const leases = claimed.map(({ id }) => ({ id, token }));
  claims.take(leases);
  try {
    step("claimed");
    if (!(await hasPayingWallet(pass))) {
      const ids = claimed.map(({ id }) => id);
      await restTransfers(ctx.db, ids, { kind: "review", reason: NO_WALLET_PAYS, restMs: timings.restMs });
      return { count: 0, isMore: false };
    }
    const candidates = await refuseHopeless(pass, await restStopped(pass, claimed));
    const { payable, screenings } = await screenPayments(pass, candidates, token);
    const budgets = openBudgets(pass, node);
    const choose = await openChoice(pass, budgets);
    const packed = await packPayments(pass, payable, { token, node, budgets, choose, screenings });
    const alone = payable.filter(({ id }) => !packed.has(id));
    let count = packed.size;
    const make = async (transfer: Transfer) => {
      const isStored = await makePayment(pass, { transfer, screening: screenings.get(transfer.id), token, node, budgets, choose });
      if (isStored) count += 1;
    };
    await inParallel(alone.map((transfer) => processOne(pass, transfer.id, () => make(transfer))));
    return { count, isMore: count === limit };
  } finally {
    await claims.releaseAll(leases);
  }
}

const NO_WALLET_PAYS = "The chain, or every treasury wallet of it, is halted or not active.";

/** Whether a wallet may sign. While none may, the signer is asked for nothing, and nothing is taken over from its journal. */
async function hasPayingWallet({ engine, chain, wallets }: LapsingPass): Promise<boolean> {
  return (await listPayingAddresses(engine.ctx.db, chain.chain)).some((address) => wallets.includes(address));
}

/** Leaves alone what is owed for a partner or by a pair whose scope is halted, and answers the rest. */
async function restStopped({ engine }: LapsingPass, claimed: readonly Transfer[]): Promise<Transfer[]> {
  const { db } = engine.ctx;
  const stopped = await listStopped(
    db,
    claimed.map(({ id }) => id),
  );
  for (const [id, halt] of stopped)
    await restTransfers(db, [id], { kind: "review", reason: haltReason(halt), restMs: engine.timings.restMs });
  return claimed.filter(({ id }) => !stopped.has(id));
}

/** Ends what can never be paid: nothing of it was signed. */
async function refuseHopeless(pass: LapsingPass, claimed: readonly Transfer[]): Promise<Transfer[]> {
  const payable: Transfer[] = [];
  for (const transfer of claimed) {
    const fault = faultOf(pass, transfer);
    if (fault === null) payable.push(transfer);
    else await processOne(pass, transfer.id, () => refuseTransfer(pass.engine, transfer.id, fault));
  }
  return payable;
}

function faultOf({ chain, wallets }: LapsingPass, { call, recipient, tokenAddress }: Transfer): string | null {
  const to = canonicalOf(chain, recipient);
  if (call !== null) return "This chain makes plain payments only.";
  if (wallets.some((wallet) => canonicalOf(chain, wallet) === to)) return "The recipient is the service's own treasury.";
  if (tokenAddress !== null && canonicalOf(chain, tokenAddress) === to)
    return "The recipient is the token's own contract: the funds would be lost.";
  return null;
}
