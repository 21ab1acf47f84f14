import { formatDecimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { tokenAmount } from "#domain/money.ts";
import { operatorProcedure, partnerProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { joinTrace } from "#server/observe/trace.ts";
import { chooseSigningKey } from "#server/services/callbacks/callback-target.ts";
import { approvePayee } from "#server/services/fiat/approve-payee.ts";
import { cancelTopup, cancelWithdrawal, mayCancelTopup, mayCancelWithdrawal } from "#server/services/fiat/cancel-orders.ts";
import { drawUpWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { readTopupStory, readWithdrawalStory } from "#server/services/fiat/order-stories.ts";
import { browseTopups, browseWithdrawals, listAmbiguousOrders } from "#server/services/fiat/read-orders.ts";
import { drawUpTopup, requestTopup } from "#server/services/fiat/request-topup.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { resolveAmbiguous } from "#server/services/fiat/resolve-ambiguous.ts";
import { fundSandboxPool } from "#server/services/ledger/fund-pool.ts";
import { readPoolFigures } from "#server/services/ledger/read-books.ts";
import { readPartner } from "#server/services/partners/read-partners.ts";
import { done } from "./done.ts";
import {
  ambiguousResolution,
  fundInput,
  oneOrder,
  orderPage,
  ownOrders,
  readFiat,
  readOrder,
  topupInput,
  withdrawInput,
} from "./fiat-input.ts";
import {
  priceOf,
  renderAmbiguous,
  renderOrderStory,
  renderPoolFigures,
  renderTopupRow,
  renderWithdrawalRow,
  topupAmounts,
  withdrawalAmounts,
} from "./fiat-rows.ts";
import { renderPayment } from "./settlement-rows.ts";
import { readWalk, renderWalked } from "./walk.ts";

/** For the owner of an active partner, which is the session's. */
const move = partnerProcedure("move_fiat").use(async ({ ctx, next }) => {
  const partnerId = ctx.holder.partnerId ?? "";
  const apiKeyId = await chooseSigningKey(ctx.services, partnerId);
  return next({ ctx: { ...ctx, asker: { partnerId, apiKeyId, by: ctx.by } } });
});

const cancel = partnerProcedure("move_fiat")
  .input(oneOrder)
  .use(({ ctx, next }) => next({ ctx: { ...ctx, canceller: { partnerId: ctx.holder.partnerId ?? "", by: ctx.by } } }));

/** Fiat in and out. A partner's people see their own orders, the operator's everybody's; only owners ask for any. */
export const fiatRouter = router({
  pools: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const isOperator = holder.partnerId === null;
    return (await readPoolFigures(services, { isOperator })).map((pool) => renderPoolFigures(pool, isOperator));
  }),

  withdrawals: personProcedure.input(orderPage).query(async ({ ctx: { services, holder }, input }) => {
    const { limit, cursor, direction, ...filter } = input;
    const walk = readWalk({ limit, cursor, direction }, (id) => isId("withdrawal", id));
    const page = await browseWithdrawals(services, { filter: ownOrders(filter, holder), ...walk });
    return renderWalked(page, (item) => renderWithdrawalRow(item, holder.partnerId === null));
  }),

  topups: personProcedure.input(orderPage).query(async ({ ctx: { services, holder }, input }) => {
    const { limit, cursor, direction, ...filter } = input;
    const walk = readWalk({ limit, cursor, direction }, (id) => isId("topup", id));
    const page = await browseTopups(services, { filter: ownOrders(filter, holder), ...walk });
    return renderWalked(page, (item) => renderTopupRow(item, holder.partnerId === null));
  }),

  withdrawal: personProcedure.input(oneOrder).query(async ({ ctx: { services, holder }, input }) => {
    const inside = holder.partnerId === null;
    const story = await readWithdrawalStory(services, { id: input.id, ...tenantOf(holder) });
    const { sweep, returned, paidOn, wait } = story;
    return {
      ...renderWithdrawalRow(story, inside, wait),
      ...renderOrderStory(story, inside),
      may_cancel: mayCancelWithdrawal(story.withdrawal, sweep?.transfer ?? null),
      sweep: sweep && renderPayment(sweep, paidOn, inside),
      give_back: returned && renderPayment(returned, paidOn, inside),
    };
  }),

  topup: personProcedure.input(oneOrder).query(async ({ ctx: { services, holder }, input }) => {
    const inside = holder.partnerId === null;
    const story = await readTopupStory(services, { id: input.id, ...tenantOf(holder) });
    return {
      ...renderTopupRow(story, inside),
      ...renderOrderStory(story, inside),
      may_cancel: mayCancelTopup(story.topup, story.acceptedAt),
      payment: story.payment && renderPayment(story.payment, story.paidOn, inside),
    };
  }),

  /** What an owner's forms offer. */
  choices: partnerProcedure("move_fiat").query(async ({ ctx: { services, holder } }) => {
    const [partner, pools] = await Promise.all([readPartner(services, holder.partnerId ?? ""), readPoolFigures(services)]);
    return {
      own_safe: partner.walletAddress,
      fee_percentage: formatDecimal(partner.chargeFeePercentage),
      pools: pools.map((pool) => renderPoolFigures(pool, false)),
      chains: services.chains.list().map(({ chain, name, tokens }) => ({ chain, name, tokens: tokens.map((token) => token.currency) })),
    };
  }),

  /** What a withdrawal would be, now; nothing is stored. */
  previewWithdrawal: move
    .meta({ stepUp: false })
    .input(withdrawInput)
    .mutation(async ({ ctx: { services, asker }, input }) => {
      const command = await readOrder(services, asker, input);
      const drawn = await drawUpWithdrawal(services, command);
      const { withdrawal } = drawn;
      const [pool] = (await readPoolFigures(services)).filter(({ currency }) => currency === withdrawal.currency);
      return {
        is_repeat: drawn.isRepeat,
        amounts: withdrawalAmounts(withdrawal),
        price: priceOf(withdrawal, false),
        safe_address: withdrawal.safeAddress,
        safe_balance: drawn.isRepeat ? null : tokenAmount(drawn.safeBalanceBase, withdrawal.tokenDecimals),
        covered: drawn.isRepeat || drawn.safeBalanceBase >= withdrawal.sourceAmountBase,
        pool_available: pool === undefined ? null : renderPoolFigures(pool, false).available,
      };
    }),

  withdraw: move.input(withdrawInput).mutation(async ({ ctx: { services, asker }, input }) => {
    const command = await readOrder(services, asker, input);
    const { withdrawal, repeated } = await requestWithdrawal(services, command, () => drawUpWithdrawal(services, command));
    return { id: withdrawal.id, repeated };
  }),

  /** As the partner's program cancels one: while nothing has moved. */
  cancelWithdrawal: cancel.mutation(({ ctx: { services, canceller }, input: { id } }) =>
    done(cancelWithdrawal(services, { ...canceller, id })),
  ),
  cancelTopup: cancel.mutation(({ ctx: { services, canceller }, input: { id } }) => done(cancelTopup(services, { ...canceller, id }))),

  /** An owner's yes to an account that the partner has not paid before: payouts to it wait no longer. */
  approvePayee: partnerProcedure("move_fiat")
    .input(oneOrder)
    .mutation(({ ctx: { services, by, holder }, input }) =>
      done(approvePayee(services, { by, partnerId: holder.partnerId ?? "", id: input.id })),
    ),

  /** What a top-up would be, now; nothing is stored. */
  previewTopup: move
    .meta({ stepUp: false })
    .input(topupInput)
    .mutation(async ({ ctx: { services, asker }, input }) => {
      const command = await readOrder(services, asker, input);
      const { isRepeat, topup } = await drawUpTopup(services, command);
      return { is_repeat: isRepeat, amounts: topupAmounts(topup), price: priceOf(topup, false), wallet_address: topup.walletAddress };
    }),

  topUp: move.input(topupInput).mutation(async ({ ctx: { services, asker }, input }) => {
    const command = await readOrder(services, asker, input);
    const { topup, repeated } = await requestTopup(services, command);
    return { id: topup.id, repeated };
  }),

  /** Ambiguous orders, and top-ups that were paid too late. */
  ambiguous: operatorProcedure().query(async ({ ctx: { services } }) => (await listAmbiguousOrders(services)).map(renderAmbiguous)),

  /** `proposed`: another person has to confirm it. */
  resolveAmbiguous: operatorProcedure("administer")
    .input(ambiguousResolution)
    .mutation(async ({ ctx: { services, by }, input }) => {
      const { id: orderId, kind, reason } = input;
      const resolution = "reference" in input ? { outcome: input.outcome, reference: input.reference } : { outcome: input.outcome };
      const { trace, proposed } = await resolveAmbiguous(services, { by, reason, kind, orderId, resolution });
      joinTrace(trace, `${kind}.resolve`);
      return { proposed };
    }),

  /** Play money for a pool, in the sandbox. */
  fundPool: operatorProcedure("administer")
    .input(fundInput)
    .mutation(({ ctx: { services, by }, input: { currency, amount, requestKey } }) => {
      const reference = `console-${requestKey}`;
      return done(fundSandboxPool(services, { by, currency, amountMinor: readFiat(amount, currency), reference }));
    }),
});
