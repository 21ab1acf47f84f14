import { movementExplanationBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findLine, lockLine } from "#db/queries/transfers/suspense-lines.ts";
import { lockUnknownPayments } from "#db/queries/transfers/treasury-losses.ts";
import type { By } from "#domain/access.ts";
import { exactText } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isCounted, type LineName, type SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import { type Order, type ProposalKind, type Proposed, propose } from "#server/services/proposals/propose.ts";
import { auditOrder } from "./audit-order.ts";
import { closeLines } from "./close-lines.ts";

type Body = ReturnType<typeof movementExplanationBody.parse>;

/** Two people explain a movement that the books do not count. */
export const MOVEMENT_EXPLANATION: ProposalKind<Body, object, object> = {
  kind: "movement_explanation",
  permission: "administer",
  schema: movementExplanationBody,
  show: (body) => body,
  carryOut: (ctx, order) => explain(ctx.db, order),
};

/**
 * Proposes to take a movement out of suspense for a reason: a member's own deposit into its Safe, a Safe's loss that is settled with the partner, or
 * tokens that the operator moved from wallet to wallet. The ledger counts none of these.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `conflict` when that is proposed already, `invalid_state` when it is explained already,
 * not final, or counted by the ledger: then a funding, a loss or a payment explains it
 */
export async function explainMovement(
  ctx: Uses<"db" | "clock" | "mode">,
  command: LineName & { by: By; reason: string },
): Promise<Proposed<object>> {
  const { by, reason, ...name } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const line = await findLine(ctx.db, name);
  if (line === null) throw new Refusal("not_found", { detail: "There is no such movement." });
  refuseUnlessOpen(line);
  const { chain, hash, place, holder, direction, amountBase, decimals, currency } = line;
  const body: Body = { chain, hash, place, holder, direction, amount: exactText(amountBase, decimals), currency };
  return await propose(ctx, MOVEMENT_EXPLANATION, { by, subject: `${chain}:${hash}:${place}:${holder}`, body, reason });
}

async function explain(tx: Database, { by, proposer, subject, body, reason }: Order<Body>): Promise<object> {
  await lockUnknownPayments(tx, body.chain);
  const line = await lockLine(tx, body);
  if (line === null) throw new Refusal("not_found", { detail: "There is no such movement." });
  refuseUnlessOpen(line);
  const now = await readBusinessNow(tx);
  await closeLines(tx, [line], { resolution: "explained", proposalId: null, now });
  const change = { ...body, asked_by: proposer.id };
  await auditOrder(tx, { by, reason: reason ?? "" }, { action: "treasury.movement_explained", objectId: subject, change, now });
  return change;
}

function refuseUnlessOpen(line: SuspenseLine): void {
  const refuse = (detail: string) => new Refusal("invalid_state", { detail });
  if (line.resolution !== null) throw refuse("It is explained already.");
  if (line.state !== "booked") throw refuse("Not every node of the chain shows it in a final block.");
  if (isCounted(line)) throw refuse("The ledger counts it: declare a funding, book a loss, or book what it paid.");
}
