import { haltOrder, liftOrder, renderHalt, walletStateOrder } from "#contract/console/halts.ts";
import {
  oneTransfer,
  renderBoardChain,
  renderLedgerLine,
  renderReconciliation,
  renderReview,
  renderReviewed,
  resolution,
  transferOrder,
} from "#contract/console/treasury.ts";
import { instant } from "#contract/primitives.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { liftHalt } from "#server/services/halts/lift-halt.ts";
import { orderHalt } from "#server/services/halts/order-halt.ts";
import { readHalts } from "#server/services/halts/read-halts.ts";
import { readLedgerBalances } from "#server/services/ledger/read-ledger-balances.ts";
import { readReconciliations } from "#server/services/ledger/read-reconciliations.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { bumpTransfer } from "#server/services/treasury/bump-transfer.ts";
import { cancelTransfer } from "#server/services/treasury/cancel-transfer.ts";
import { changeWalletState } from "#server/services/treasury/change-wallet-state.ts";
import { listReviews } from "#server/services/treasury/list-reviews.ts";
import { readReview } from "#server/services/treasury/read-review.ts";
import { readTreasuryBoard } from "#server/services/treasury/read-treasury-board.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";

const order = operatorProcedure("administer");

/** The service's own wallets and books: every operator may look, an admin who just proved to be one may give orders. */
export const treasuryRouter = router({
  board: operatorProcedure().query(async ({ ctx: { services } }) => ({
    chains: (await readTreasuryBoard(services)).map(renderBoardChain),
    halts: (await readHalts(services)).open.map(renderHalt),
    reviews: (await listReviews(services)).map(renderReviewed),
    /** Real time, which balances and heads are told in. */
    now: instant(services.clock.now()),
  })),

  books: operatorProcedure().query(async ({ ctx: { services } }) => {
    const [balances, runs] = await Promise.all([readLedgerBalances(services), readReconciliations(services)]);
    const { lifted } = await readHalts(services);
    return {
      balances: balances.map(renderLedgerLine),
      reconciliations: runs.map(renderReconciliation),
      lifted: lifted.map(renderHalt),
    };
  }),

  /** Asks the chain's nodes. */
  review: operatorProcedure()
    .input(oneTransfer)
    .query(async ({ ctx: { services }, input }) => renderReview(await readReview(services, input.transfer_id))),

  bump: order.input(transferOrder).mutation(async ({ ctx: { services, by }, input }) => {
    await bumpTransfer(services, { by, reason: input.reason, transferId: input.transfer_id });
    return {};
  }),

  cancel: order.input(transferOrder).mutation(async ({ ctx: { services, by }, input }) => {
    const { state } = await cancelTransfer(services, {
      by,
      reason: input.reason,
      transferId: input.transfer_id,
      onFinal: completeOwner,
    });
    return { state };
  }),

  halt: order.input(haltOrder).mutation(async ({ ctx: { services, by }, input }) => {
    await orderHalt(services, { by, reason: input.reason, lane: { kind: input.lane_kind, key: input.lane_key } });
    return {};
  }),

  /** `proposed`: another person has to confirm it. */
  lift: order.input(liftOrder).mutation(async ({ ctx: { services, by }, input }) => {
    const { result } = await liftHalt(services, { by, reason: input.reason, haltId: input.halt_id });
    return { proposed: result === null };
  }),

  walletState: order.input(walletStateOrder).mutation(async ({ ctx: { services, by }, input }) => {
    await changeWalletState(services, { by, reason: input.reason, walletId: input.wallet_id, state: input.state });
    return {};
  }),

  resolve: order.input(resolution).mutation(async ({ ctx: { services, by }, input }) => {
    const word =
      input.outcome === "executed"
        ? { outcome: input.outcome, txHash: input.tx_hash }
        : input.outcome === "failed"
          ? { outcome: input.outcome, reason: input.failure_reason }
          : { outcome: input.outcome };
    const resolved = { by, reason: input.reason, transferId: input.transfer_id, resolution: word, onFinal: completeOwner };
    return { state: (await resolveReview(services, resolved)).state };
  }),
});
