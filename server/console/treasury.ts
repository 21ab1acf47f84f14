import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { fromWire, toWire } from "#contract/wire.ts";
import { HALT_SCOPE_KINDS, MOST_ACCEPTED } from "#domain/halt-scope.ts";
import { LEDGER_ACCOUNTS } from "#domain/ledger.ts";
import { TRANSACTION_HASH } from "#domain/transaction-hash.ts";
import { WALLET_STATES } from "#domain/wallet.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { orderHalt } from "#server/services/halts/halt-scope.ts";
import { readAccountLines, readLedgerBalances, readReconciliations } from "#server/services/ledger/read-books.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { bumpTransfer } from "#server/services/treasury/bump-transfer.ts";
import { cancelTransfer } from "#server/services/treasury/cancel-transfer.ts";
import { changeWalletState } from "#server/services/treasury/change-wallet-state.ts";
import { liftHalt, readHalts } from "#server/services/treasury/lift-halt.ts";
import { readReview } from "#server/services/treasury/read-review.ts";
import { readSuspense } from "#server/services/treasury/read-suspense.ts";
import { listReviews } from "#server/services/treasury/read-treasury.ts";
import { readTreasuryBoard } from "#server/services/treasury/read-treasury-board.ts";
import { replaceSafeOwner } from "#server/services/treasury/replace-safe-owner.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";
import { signAboveCap } from "#server/services/treasury/sign-above-cap.ts";
import { withdrawCancellation } from "#server/services/treasury/withdraw-cancellation.ts";
import { done } from "./done.ts";
import { renderAccountLine, renderBoardChain, renderHalt, renderLedgerLine, renderReview, renderTransfer } from "./treasury-rows.ts";

const reason = plainText(8, 1_000);
const transfer_id = plainText(1, 64);
const transferOrder = fromWire({ transfer_id, reason });
const resolution = z.discriminatedUnion("outcome", [
  z.strictObject({ outcome: z.enum(["resume", "retry"]), transfer_id, reason }),
  z.strictObject({
    outcome: z.literal("executed"),
    transfer_id,
    tx_hash: z.string().regex(TRANSACTION_HASH, { error: "must be a transaction's hash" }),
    reason,
  }),
  /** The reason for the partner. */
  z.strictObject({ outcome: z.literal("failed"), transfer_id, failure_reason: plainText(8, 500), reason }),
]);

const lift = fromWire({
  halt_id: z.string().max(64),
  accepted_nonces: z.array(z.int().min(0)).max(MOST_ACCEPTED).optional(),
  reason,
});

const ledgerAccount = fromWire({
  account: z.enum(LEDGER_ACCOUNTS),
  partner_id: z.uuid().nullable(),
  currency: plainText(1, 16),
  chain: plainText(1, 64).nullable(),
});

const order = operatorProcedure("administer");

/** The service's own wallets and books: every operator may look, an admin who just proved to be one may give orders. */
export const treasuryRouter = router({
  board: operatorProcedure().query(async ({ ctx: { services } }) => ({
    chains: (await readTreasuryBoard(services)).map((chain) => renderBoardChain(chain, services.screener.state())),
    halts: (await readHalts(services)).open.map(renderHalt),
    reviews: (await listReviews(services)).map(renderTransfer),
    in_suspense: (await readSuspense(services)).sums.reduce((total, { count }) => total + count, 0),
    /** Real time, which balances and heads use. */
    now: instant(services.clock.now()),
  })),

  books: operatorProcedure().query(async ({ ctx: { services } }) => {
    const [balances, runs] = await Promise.all([readLedgerBalances(services), readReconciliations(services)]);
    const { lifted } = await readHalts(services);
    return {
      balances: balances.map(renderLedgerLine),
      reconciliations: runs.map((run) => ({
        ...toWire(run, "day", "startedAt", "finishedAt", "rules", "checked"),
        findings: run.findings.map((finding) => toWire(finding, "rule", "subject", "detail")),
      })),
      lifted: lifted.map(renderHalt),
    };
  }),

  /** The newest lines of one account of the ledger. */
  accountLines: operatorProcedure()
    .input(ledgerAccount)
    .query(async ({ ctx: { services }, input }) => (await readAccountLines(services, input)).map((line) => renderAccountLine(line, input))),

  /** Asks the chain's nodes. */
  review: operatorProcedure()
    .input(fromWire({ transfer_id }))
    .query(async ({ ctx: { services }, input }) => renderReview(await readReview(services, input.transferId))),

  bump: order.input(transferOrder).mutation(({ ctx: { services, by }, input }) => done(bumpTransfer(services, { by, ...input }))),

  /** One of the two people who let a payment go above a cap of the signer. */
  signAboveCap: order.input(transferOrder).mutation(({ ctx: { services, by }, input }) => signAboveCap(services, { by, ...input })),

  /** `proposed`, here and below: another person has to confirm it. */
  cancel: order.input(transferOrder).mutation(async ({ ctx: { services, by }, input }) => ({
    proposed: (await cancelTransfer(services, { by, ...input, onFinal: completeOwner })) === null,
  })),

  withdrawCancellation: order
    .input(transferOrder)
    .mutation(({ ctx: { services, by }, input }) => done(withdrawCancellation(services, { by, ...input }))),

  halt: order
    .input(fromWire({ lane_kind: z.enum(HALT_SCOPE_KINDS), lane_key: plainText(1, 64), reason }))
    .mutation(({ ctx: { services, by }, input: { laneKind: kind, laneKey: key, reason } }) =>
      done(orderHalt(services, { by, reason, scope: { kind, key } })),
    ),

  /** `accepted_nonces`: what may stay unread. Asks the chain's nodes. */
  lift: order.input(lift).mutation(async ({ ctx: { services, by }, input }) => {
    return { proposed: (await liftHalt(services, { by, ...input })).result === null };
  }),

  walletState: order
    .input(fromWire({ wallet_id: z.string().max(64), state: z.enum(WALLET_STATES), reason }))
    .mutation(async ({ ctx: { services, by }, input }) => ({
      proposed: (await changeWalletState(services, { by, ...input })) === null,
    })),

  replaceSafeOwner: order.input(fromWire({ wallet_id: z.string().max(64), reason })).mutation(async ({ ctx: { services, by }, input }) => ({
    proposed: (await replaceSafeOwner(services, { by, ...input })).result === null,
  })),

  resolve: order.input(resolution).mutation(async ({ ctx: { services, by }, input }) => {
    const word =
      input.outcome === "executed"
        ? { outcome: input.outcome, txHash: input.tx_hash }
        : input.outcome === "failed"
          ? { outcome: input.outcome, reason: input.failure_reason }
          : { outcome: input.outcome };
    const resolved = { by, reason: input.reason, transferId: input.transfer_id, resolution: word, onFinal: completeOwner };
    return { proposed: (await resolveReview(services, resolved)) === null };
  }),
});
