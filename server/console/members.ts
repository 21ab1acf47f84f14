import { z } from "zod";
import { memberCreateSchema, memberUpdateSchema, readNewMember, renderMember } from "#contract/partner/member.ts";
import { renderSafeInfo } from "#contract/partner/safes.ts";
import { caip2, instant, plainText } from "#contract/primitives.ts";
import { fromWire } from "#contract/wire.ts";
import { SAFE_STATUSES } from "#domain/member.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { isRefusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import { partnerProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { tracePlace } from "#server/observe/trace.ts";
import { reportTime } from "#server/services/maintenance/clock.ts";
import { admitWallet, createMember, findChain, updateMember } from "#server/services/members/change-member.ts";
import { lookAtMemberSafe, retryMemberSafe } from "#server/services/members/member-safes.ts";
import { readMemberStory } from "#server/services/members/read-member-story.ts";
import { type BrowsedMember, browseMembers } from "#server/services/members/read-members.ts";
import { readActivePartner } from "#server/services/partners/read-partners.ts";
import { renderTopupRow, renderWithdrawalRow } from "./fiat-rows.ts";
import { renderDeployment } from "./safes.ts";
import { renderHistory, renderPayment } from "./settlement-rows.ts";
import { readWalk, renderWalked, walkFields } from "./walk.ts";

const memberPage = fromWire({
  partner_id: z.uuid().optional(),
  search: plainText(1, 128).optional(),
  safe: z.enum([...SAFE_STATUSES, "own"]).optional(),
  chain: caip2.optional(),
  ...walkFields,
});
const oneMember = z.strictObject({ id: z.uuid() });

/** For the owner of a partner: the partner is the session's, and must not be suspended. */
const manage = partnerProcedure("manage_members")
  .meta({ stepUp: false })
  .use(async ({ ctx, next }) => {
    const { id: partnerId } = await readActivePartner(ctx.services, ctx.holder.partnerId ?? "");
    return next({ ctx: { ...ctx, partnerId } });
  });

/** Partners' end customers: a partner's people see their own, the operator's everybody's; only owners change any. */
export const membersRouter = router({
  list: personProcedure.input(memberPage).query(async ({ ctx: { services, holder }, input: { limit, cursor, direction, ...asked } }) => {
    const filter = { ...asked, ...tenantOf(holder) };
    const page = await browseMembers(services, { filter, ...readWalk({ limit, cursor, direction }, isUuid) });
    return renderWalked(page, renderMemberRow);
  }),

  byId: personProcedure.input(oneMember).query(async ({ ctx: { services, holder }, input }) => {
    const story = await readMemberStory(services, { id: input.id, ...tenantOf(holder) });
    const inside = holder.partnerId === null;
    const { deployment } = story;
    return {
      ...renderMemberRow(story),
      history: story.history.map((entry) => renderHistory(entry, inside)),
      deployment: deployment && {
        ...renderDeployment(deployment.deployment),
        waiting_reason: inside ? deployment.deployment.waitingReason : null,
        payment: deployment.payment && renderPayment(deployment.payment, deployment.paidOn, inside),
      },
      topups: story.topups.map((topup) => renderTopupRow(topup, inside)),
      withdrawals: story.withdrawals.map((withdrawal) => renderWithdrawalRow(withdrawal, inside)),
    };
  }),

  /** The wallet as the chain has it now, at a block. `read_at`: business time. */
  safe: personProcedure.input(oneMember).query(async ({ ctx: { services, holder }, input }) => {
    const { safe, block, balances } = await lookAtMemberSafe(services, { id: input.id, ...tenantOf(holder) });
    return {
      safe: safe && renderSafeInfo(safe),
      block: block.height,
      read_at: instant(await reportTime(services)),
      balances: balances.map(({ token, amountBase }) => ({ currency: token.currency, amount: tokenAmount(amountBase, token.decimals) })),
    };
  }),

  /** The fault of a wallet address for a new member; null: none. */
  checkWallet: manage.input(z.strictObject({ chain: caip2, address: plainText(1, 128) })).query(async ({ ctx: { services }, input }) => {
    try {
      await admitWallet(services, findChain(services, input.chain), input.address);
      return { fault: null };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { fault: error.message };
    }
  }),

  create: manage.input(memberCreateSchema).mutation(async ({ ctx: { services, by, partnerId }, input }) => {
    const { member, isNew } = await createMember(services, { by, partnerId, ...readNewMember(input), trace: tracePlace() });
    return { member: renderMember(member), is_new: isNew };
  }),

  update: manage
    .input(fromWire({ ...memberUpdateSchema.shape, id: z.uuid() }))
    .mutation(async ({ ctx: { services, by, partnerId }, input: { id: name, ...change } }) => {
      return renderMember(await updateMember(services, { by, partnerId, name, change }));
    }),

  /** Has a Safe deployed again where the last one failed. */
  retrySafe: manage.input(oneMember).mutation(async ({ ctx: { services, by, partnerId }, input }) => {
    return renderMember(await retryMemberSafe(services, { by, partnerId, id: input.id, trace: tracePlace() }));
  }),
});

/** As the API shows it, whose it is, and what it moved within thirty days: exact decimals in units of the currency. */
function renderMemberRow({ member, partner, volume }: BrowsedMember) {
  const sums = volume.map(({ currency, amountMinor }) => ({ currency, amount: fiatAmount(amountMinor, currency) }));
  return { member: renderMember(member), partner, volume: sums };
}
