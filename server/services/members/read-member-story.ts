import { type BrowsedTopup, type BrowsedWithdrawal, browseTopups, browseWithdrawals } from "#db/queries/fiat/browse-orders.ts";
import { type BrowsedMember, findBrowsedMember } from "#db/queries/members/members.ts";
import { findDeploymentOfMember } from "#db/queries/safes/safe-deployments.ts";
import { findPayment, type HistoryEntry, listHistory, type Payment } from "#db/queries/settlements/settlement-story.ts";
import { Refusal } from "#domain/refusal.ts";
import type { SafeDeployment } from "#domain/safe-deployment.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { volumeSince } from "./read-members.ts";

export type MemberStory = BrowsedMember & {
  history: HistoryEntry[];
  /** The latest deployment of a Safe for it, with the transaction that carries it; null: it brought its own wallet. */
  deployment: { deployment: SafeDeployment; payment: Payment | null; paidOn: ChainInfo | null } | null;
  /** The newest of each, newest first. */
  topups: BrowsedTopup[];
  withdrawals: BrowsedWithdrawal[];
};

const NEWEST = { limit: 10, position: null, direction: "older" } as const;

/**
 * Everything about one member, of this partner where given.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never existed.
 */
export async function readMemberStory(ctx: Uses<"db" | "chains">, query: { id: string; partnerId?: string }): Promise<MemberStory> {
  const found = await findBrowsedMember(ctx.db, query, await volumeSince(ctx));
  if (found === null) throw new Refusal("not_found", { detail: "There is no such member." });
  const { id: memberId, chain } = found.member;
  const [history, deployment, topups, withdrawals] = await Promise.all([
    listHistory(ctx.db, [memberId], query.partnerId),
    findDeploymentOfMember(ctx.db, memberId),
    browseTopups(ctx.db, { memberId }, NEWEST),
    browseWithdrawals(ctx.db, { memberId }, NEWEST),
  ]);
  if (deployment === null) return { ...found, history, deployment, topups, withdrawals };
  const payment = await findPayment(ctx.db, "deployment", deployment.id);
  const paidOn = ctx.chains.find(chain);
  return { ...found, history, deployment: { deployment, payment, paidOn }, topups, withdrawals };
}
