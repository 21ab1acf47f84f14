import { treasuryFundingBody } from "#contract/proposal-bodies.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { isFundingDeclared } from "#db/queries/transfers/declared-fundings.ts";
import { lockUnknownPayments } from "#db/queries/transfers/treasury-losses.ts";
import type { By } from "#domain/access.ts";
import { exactText } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { auditOrder } from "./audit-order.ts";

type Body = ReturnType<typeof treasuryFundingBody.parse>;

const show = ({ chain, hash, currency, decimals, amount_base: amount }: Body) => {
  return { chain, hash, amount: `${exactText(BigInt(amount), decimals)} ${currency}` };
};

/** Two people declare a deposit of the operator's. The worker books it by the movement that it names, before or after. */
export const TREASURY_FUNDING: ProposalKind<Body, object, object> = {
  kind: "treasury_funding",
  permission: "administer",
  schema: treasuryFundingBody,
  show,
  async carryOut({ db: tx }, { by, proposer, subject, body, reason }) {
    await lockUnknownPayments(tx, body.chain);
    if (await isFundingDeclared(tx, subject)) throw declared();
    const change = { ...show(body), asked_by: proposer.id };
    const now = await readBusinessNow(tx);
    await auditOrder(tx, { by, reason: reason ?? "" }, { action: "treasury.funding_declared", objectId: subject, change, now });
    return change;
  },
};

export type DeclareFunding = { by: By; chain: string; hash: string; currency: string; amountBase: bigint; reason: string };

/**
 * Proposes to declare that a transaction is the operator's own deposit into a treasury wallet. It may be on the chain already, or come later. For a
 * deposit of the coin by a contract, `hash` is that of its block, as the line in suspense names it.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` for a chain or token that is not configured, `validation_failed`, `conflict` when it is
 * proposed already, `invalid_state` when it is declared already
 */
export async function declareFunding(ctx: Uses<"db" | "clock" | "mode" | "chains">, command: DeclareFunding): Promise<Proposed<object>> {
  const { by, chain, currency, amountBase, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const token = ctx.chains.find(chain)?.tokens.find((one) => one.currency === currency);
  if (token === undefined) throw new Refusal("not_found", { detail: `${currency} is no configured token of ${chain}.` });
  const hash = command.hash.toLowerCase();
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw new Refusal("validation_failed", { detail: "That is no hash." });
  if (amountBase <= 0n) throw new Refusal("validation_failed", { detail: "A deposit is above zero." });
  const subject = `${chain}:${hash}:${currency}:${amountBase}`;
  if (await isFundingDeclared(ctx.db, subject)) throw declared();
  const body = { chain, hash, currency, decimals: token.decimals, amount_base: amountBase.toString() };
  return await propose(ctx, TREASURY_FUNDING, { by, subject, body, reason });
}

function declared(): Refusal {
  return new Refusal("invalid_state", { detail: "That deposit is declared already." });
}
