import { listStopped } from "#db/queries/halts/scope-halts.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listLapsingClaims, lockPayingWallet } from "#db/queries/transfers/lapsing-attempts.ts";
import { owePack } from "#db/queries/transfers/pack-members.ts";
import { lockTransfers, saveTransfers } from "#db/queries/transfers/transfers.ts";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import type { LapsingSignAnswer } from "#domain/lapsing-signer.ts";
import type { Screening } from "#domain/screening.ts";
import { advanceTransfer, type Transfer } from "#domain/transfer.ts";
import type { LapsingPass } from "#server/engines/lapsing/engine.ts";
import { judgeBeforeSigning } from "#server/services/holds/judge-before-signing.ts";
import { screeningChecks } from "./signing-checks.ts";
import { storeAttempt } from "./store-attempt.ts";
import { findShortage, type WalletBudget } from "./wallet-budget.ts";

type Signed = {
  pack: Transfer;
  members: readonly Transfer[];
  /** Of their leases. */
  token: string;
  screenings: ReadonlyMap<string, Screening>;
  sender: string;
  unsigned: UnsignedPayment;
  signed: Extract<LapsingSignAnswer, { outcome: "signed" }>;
  budget: WalletBudget;
};

/** Something speaks against a packed transaction, so that nothing of it is stored. */
export class NotPacked extends Error {
  override readonly name = "NotPacked";
}

/**
 * A packed transaction, its payments and its signed bytes, together or not at all. What a check would hold is judged again where it is made
 * alone. @throws NotPacked
 */
export async function storePack({ engine, chain }: LapsingPass, of: Signed): Promise<Transfer[]> {
  const { pack, members, token, sender, unsigned, signed, budget } = of;
  const ids = members.map(({ id }) => id);
  return await engine.ctx.db.transaction(async (tx) => {
    const locked = new Map((await lockTransfers(tx, ids, token)).map((transfer) => [transfer.id, transfer]));
    const queued = ids.flatMap((id) => {
      const transfer = locked.get(id);
      return transfer?.state === "queued" ? [transfer] : [];
    });
    if (queued.length < ids.length) throw new NotPacked("another worker has a payment of it");
    if ((await listStopped(tx, ids)).size > 0) throw new NotPacked("a payment of it is stopped");
    const walletId = await lockPayingWallet(tx, chain.chain, sender);
    if (walletId === null) throw new NotPacked("the treasury wallet is halted, or not active");
    const { feeAtMost: fee } = unsigned;
    const wanted = { token: pack.tokenAddress, amountBase: pack.amountBase, feeToken: fee.token, feeAtMost: fee.amountBase };
    const claims = await listLapsingClaims(tx, chain.chain, { wallet: sender, above: budget.height });
    if (findShortage(budget, claims, wanted) !== undefined) throw new NotPacked("the treasury wallet holds too little for all of them");
    const now = await readBusinessNow(tx);
    const held = await judgeBeforeSigning(tx, queued, { walletId, now }, screeningChecks(engine, of.screenings));
    if (held.size > 0) throw new NotPacked("a check holds a payment of it");
    const stored = await owePack(tx, pack, ids);
    await storeAttempt(tx, { transferId: stored.id, walletId, signed, unsigned, now });
    const packed = queued.map((transfer) => advanceTransfer(transfer, { type: "pack" }, now));
    await saveTransfers(tx, [...packed, advanceTransfer(stored, { type: "sign" }, now)], now);
    return packed;
  });
}
