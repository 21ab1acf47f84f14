import type { Database } from "#db/client.ts";
import { insertQuotes } from "#db/queries/settlements/write-settlements.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { type Decimal, floorToUnits, formatDecimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { allows } from "#domain/lifecycle.ts";
import { rateHasMoved } from "#domain/quote.ts";
import { Refusal } from "#domain/refusal.ts";
import { countHints, type HintCounts } from "#domain/risk-hint.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { readPricing } from "#server/services/rates/read-pricing.ts";
import { acknowledgeHints } from "./acknowledge-hints.ts";
import { changeSettlement, lockExistingSettlement } from "./change-settlement.ts";
import { giveApproval } from "./give-approval.ts";
import { priceSettlement } from "./price-settlement.ts";
import { listRiskHints } from "./read-risk-hints.ts";
import { refuseMember } from "./refuse-member.ts";
import { signApproval } from "./sign-approval.ts";

type Powers = Uses<"db" | "clock" | "chains" | "policy" | "mode">;

export type ApproveSettlement = {
  by: By;
  id: string;
  note: string | null;
  /** The rate the admin saw: a decision made on another price is refused. */
  expectedExchangeRate: Decimal | null;
  /** The hints that a person acknowledged in the console. Absent: a program decides, which is shown none. */
  acknowledgedHints?: HintCounts;
};

/**
 * Approves a settlement (specification, part 3): in one transaction it is priced again at the current rate, gets a new `expiresAt`, becomes
 * confirmable, and the approval callback is enqueued. It may come after the first expiry. Above the second threshold of its terms, two
 * different people must approve: the first approval is only recorded and the settlement stays pending; the last one does all of the above.
 *
 * @throws Refusal `forbidden` unless the role may decide, `settlement_not_found`, `batch_member`, `invalid_state` when it is not (or no longer) pending,
 * `validation_failed` if a person has not acknowledged a hint that holds,
 * `step_up_required`, `passkey_required` above the threshold of `SIGNED_APPROVALS`, `same_approver` above the second threshold (contract, part 10), `rate_unavailable` without a fresh rate, `rate_moved`
 * (with `current_exchange_rate`) beyond the tolerance. Then nothing has changed.
 */
export async function approveSettlement(ctx: Powers, command: ApproveSettlement): Promise<Settlement> {
  refuseUnlessOperator(command.by.actor, "decide_settlement");
  refuseUnlessProven(command.by, ctx.clock.now());
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  return await ctx.db.transaction(async (tx) => {
    const locked = await lockExistingSettlement(tx, command.id);
    refuseMember(locked.settlement);
    if (!allows(locked.settlement, "approve")) throw alreadyDecided(locked.settlement);
    if (command.acknowledgedHints) {
      const found = countHints((await listRiskHints({ db: tx }, [locked.settlement])).values());
      const { by, id: objectId, acknowledgedHints: acknowledged } = command;
      await acknowledgeHints({ db: tx }, { by, objectId, found, acknowledged, now: locked.now });
    }
    const { given, needed } = await giveApproval({ ...ctx, db: tx }, [locked.settlement], {
      ...command,
      objectId: command.id,
      now: locked.now,
    });
    // Also the first of two says yes to a price that exists and was seen.
    const quote = await reprice({ ...ctx, db: tx }, locked.settlement);
    refuseDrift(quote, command.expectedExchangeRate, ctx.policy.driftToleranceBps);
    const { by, note, expectedExchangeRate: expected } = command;
    await signApproval({ ...ctx, db: tx }, locked.settlement, { by, quote, expected, note });
    if (given < needed) return locked.settlement;
    // The instant of the pricing is the instant of the decision: the new expiry counts from it.
    const decided = { settlement: locked.settlement, now: quote.pricedAt };
    const approved = await changeSettlement(tx, decided, { type: "approve", quote }, command.by, {
      ...(command.note === null ? {} : { reason: command.note }),
      change: priceChange(locked.settlement.quote, quote),
    });
    await insertQuotes(tx, [approved]);
    return approved;
  });
}

/** The price at this moment, which an approval would give it. */
export async function reprice(ctx: { db: Database } & Uses<"chains">, settlement: Settlement): Promise<Quote> {
  const pricing = await readPricing(ctx, settlement);
  return priceSettlement(pricing, settlement.sourceAmountMinor, {
    version: settlement.quote.version + 1,
    lifetimeSeconds: pricing.terms.approvedLifetimeSeconds,
  });
}

function refuseDrift(quote: Quote, expected: Decimal | null, toleranceBps: number): void {
  if (expected === null || !rateHasMoved(expected, quote.exchangeRate, toleranceBps)) return;
  throw new Refusal("rate_moved", {
    detail: `The rate has moved by ${movedBps(expected, quote.exchangeRate)} basis points since it was shown. Decide again on the current rate.`,
    // A number, as `expected_exchange_rate` must be one; of a rate's 12 digits a double loses none.
    members: { current_exchange_rate: Number(formatDecimal(quote.exchangeRate)) },
  });
}

/** Signed, rounded towards zero: `-38`. */
function movedBps(expected: Decimal, current: Decimal): string {
  const scale = Math.max(expected.scale, current.scale);
  const [before, after] = [floorToUnits(expected, scale), floorToUnits(current, scale)];
  const bps = before === 0n ? 0n : ((after - before) * 10_000n) / before;
  return bps > 0n ? `+${bps}` : bps.toString();
}

function alreadyDecided(settlement: Settlement): Refusal {
  const state = settlement.approvalState === null ? "needs no approval" : `was already ${settlement.approvalState}`;
  return new Refusal("invalid_state", {
    detail: settlement.status === "quoted" ? `The settlement ${state}.` : `The settlement is ${settlement.status}.`,
    members: { settlement_status: settlement.status, approval_state: settlement.approvalState },
  });
}

function priceChange(before: Quote, after: Quote): Record<string, unknown> {
  return {
    exchange_rate: [formatDecimal(before.exchangeRate), formatDecimal(after.exchangeRate)],
    destination_amount_base: [before.destinationAmountBase.toString(), after.destinationAmountBase.toString()],
    expires_at: [before.expiresAt.toISOString(), after.expiresAt.toISOString()],
  };
}
