import { renderTopupRow, renderWithdrawalRow } from "#contract/console/fiat.ts";
import { memberPage, oneMember, renderMemberRow, renderSafeSeen, updateMemberInput, walletCheck } from "#contract/console/members.ts";
import { renderDeployment } from "#contract/console/safes.ts";
import { memberCreateSchema, renderMember } from "#contract/partner/member.ts";
import { isRefusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import { partnerProcedure, personProcedure, router, tenantOf } from "#server/console/trpc/init.ts";
import { admitWallet, findChain } from "#server/services/members/admit-wallet.ts";
import { browseMembers } from "#server/services/members/browse-members.ts";
import { createMember } from "#server/services/members/create-member.ts";
import { lookAtMemberSafe } from "#server/services/members/look-at-member-safe.ts";
import { readMemberStory } from "#server/services/members/read-member-story.ts";
import { retryMemberSafe } from "#server/services/members/retry-member-safe.ts";
import { updateMember } from "#server/services/members/update-member.ts";
import { readActivePartner } from "#server/services/partners/read-active-partner.ts";
import { tellTime } from "#server/services/upkeep/tell-time.ts";
import { renderHistory, renderPayment } from "./settlement-rows.ts";
import { readWalk, renderWalked } from "./walk.ts";

/** For the owner of a partner: the partner is the session's, and must not be suspended. */
const manage = partnerProcedure("manage_members").use(async ({ ctx, next }) => {
  const { id: partnerId } = await readActivePartner(ctx.services, ctx.holder.partnerId ?? "");
  return next({ ctx: { ...ctx, partnerId } });
});

/** Partners' end customers: a partner's people see their own, the operator's everybody's; only owners change any. */
export const membersRouter = router({
  list: personProcedure.input(memberPage).query(async ({ ctx: { services, holder }, input }) => {
    const { partner_id, search, safe, chain, ...walk } = input;
    const own = tenantOf(holder);
    const filter = {
      ...(own.partnerId === undefined && partner_id !== undefined ? { partnerId: partner_id } : own),
      ...(search && { search }),
      ...(safe && { safe }),
      ...(chain && { chain }),
    };
    return renderWalked(await browseMembers(services, { filter, ...readWalk(walk, isUuid) }), renderMemberRow);
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

  /** The wallet as the chain has it now. */
  safe: personProcedure.input(oneMember).query(async ({ ctx: { services, holder }, input }) => {
    const seen = await lookAtMemberSafe(services, { id: input.id, ...tenantOf(holder) });
    return renderSafeSeen(seen, await tellTime(services));
  }),

  /** What is wrong with a wallet that somebody is about to give a member; null: nothing. */
  checkWallet: manage.input(walletCheck).query(async ({ ctx: { services }, input }) => {
    try {
      await admitWallet(services, findChain(services, input.chain), input.address);
      return { fault: null };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { fault: error.message };
    }
  }),

  create: manage.input(memberCreateSchema).mutation(async ({ ctx: { services, by, partnerId }, input }) => {
    const { member, isNew } = await createMember(services, {
      by,
      partnerId,
      externalUserId: input.external_user_id,
      phone: input.phone,
      name: input.name ?? null,
      email: input.email ?? null,
      walletAddress: input.wallet_address ?? null,
      chain: input.chain ?? null,
    });
    return { member: renderMember(member), is_new: isNew };
  }),

  update: manage.input(updateMemberInput).mutation(async ({ ctx: { services, by, partnerId }, input }) => {
    const { id: name, phone, ...rest } = input;
    const change = {
      ...(phone !== undefined && { phone }),
      ...(rest.name !== undefined && { name: rest.name }),
      ...(rest.email !== undefined && { email: rest.email }),
    };
    return renderMember(await updateMember(services, { by, partnerId, name, change }));
  }),

  /** Has a Safe deployed anew where the last one failed. */
  retrySafe: manage.input(oneMember).mutation(async ({ ctx: { services, by, partnerId }, input }) => {
    return renderMember(await retryMemberSafe(services, { by, partnerId, id: input.id }));
  }),
});
