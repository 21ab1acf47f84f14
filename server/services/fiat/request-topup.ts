import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import { findTopupByExternalId, insertTopup } from "#db/queries/fiat/topups.ts";
import { findMemberByReference } from "#db/queries/members/members.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import type { Decimal } from "#domain/decimal.ts";
import { priceTopup } from "#domain/fiat-price.ts";
import { newId } from "#domain/ids.ts";
import { type Member, safeMissing } from "#domain/member.ts";
import type { Metadata } from "#domain/metadata.ts";
import { fiatAmount } from "#domain/money.ts";
import { type PairTerms, refuseBelowMinimum } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { paymentAdvice, TOPUP_LIFETIME_MS, type Topup } from "#domain/topup.ts";
import type { Uses } from "#server/context.ts";
import { topupEvent } from "#server/services/events/event-of.ts";
import { type OrderPricing, priceOrder, refuseOtherPrice, TOPUP_FIELDS } from "./price-order.ts";
import { externalIdTaken, isSameTopup } from "./same-request.ts";

type Asked = "externalId" | "externalUserId" | "amountMinor" | "currency" | "destinationCurrency" | "chain" | "source" | "callbackUrl";
/** The callback's URL was judged by `checkCallbackUrl`. */
export type RequestTopup = Pick<Topup, "partnerId" | "apiKeyId" | Asked> & {
  by: By;
  /** The `traceparent` that the order will be traced under; left out: none. */
  trace?: string | null;
  /** The partner's own notes; left out: none. */
  metadata?: Metadata | null;
  /** The least crypto to send, in units; left out: any. */
  minimumDestinationAmount?: Decimal;
};

export type RequestedTopup = { topup: Topup /** It was there already. */; repeated: boolean };

/** A top-up ready to be stored, or one that exists already. */
export type DrawnUpTopup = { isRepeat: boolean; topup: Topup };

/**
 * Prices a top-up as it would be stored now, and stores nothing.
 *
 * @throws Refusal as {@link requestTopup}
 */
export async function drawUpTopup(ctx: Uses<"db" | "chains" | "fiatProviders">, command: RequestTopup): Promise<DrawnUpTopup> {
  const earlier = await findEarlier(ctx.db, command);
  if (earlier !== null) return { isRepeat: true, topup: earlier.topup };
  const member = await findMemberByReference(ctx.db, command.partnerId, command.externalUserId);
  if (member === null) throw new Refusal("not_found", { detail: "There is no such member." });
  const order = await priceOrder(ctx, { ...command, crypto: command.destinationCurrency }, TOPUP_FIELDS);
  refuseOutside(order.pricing.terms, command.amountMinor);
  const topup = toTopup(command, order, { member, provider: ctx.fiatProviders.current });
  refuseOtherPrice("destination_amount", topup, { at: topup.destinationAmountBase, least: command.minimumDestinationAmount });
  return { isRepeat: false, topup };
}

/**
 * Stores a top-up, which asks the provider to collect the fiat (contract, part 6). The price is fixed. The same request under the same
 * `externalId` returns the existing top-up in its present state.
 *
 * @throws Refusal `step_up_required` for an owner, `conflict` (another request under this `externalId`, or the member has no wallet yet),
 * `not_found` (the member), `unsupported_chain`, `unsupported_pair`, `amount_too_small`, `amount_too_large`, `rate_unavailable`,
 * `quote_changed` where it would send less than the request wants.
 */
export async function requestTopup(ctx: Uses<"db" | "clock" | "chains" | "fiatProviders">, command: RequestTopup): Promise<RequestedTopup> {
  refuseUnlessProven(command.by, ctx.clock.now());
  const { isRepeat, topup } = await drawUpTopup(ctx, command);
  if (isRepeat) return { topup, repeated: true };
  try {
    await ctx.db.transaction(async (tx) => {
      await insertTopup(tx, topup);
      const { id: objectId, partnerId, step, externalId, createdAt: now } = topup;
      const change = { step, external_id: externalId, amount: Number(topup.amountMinor), currency: topup.currency };
      await insertAuditEntry(tx, { by: command.by, partnerId, action: "topup.requested", objectId, change, now });
      await recordEvents(tx, [topupEvent(topup, now)]);
    });
    return { topup, repeated: false };
  } catch (error) {
    if (!isUniqueViolation(error, "topups_external_id")) throw error;
    const first = await findEarlier(ctx.db, command);
    if (first === null) throw error;
    return first;
  }
}

/** @throws Refusal `conflict` when another request came first under this reference. */
async function findEarlier(db: Database, command: RequestTopup): Promise<RequestedTopup | null> {
  const topup = await findTopupByExternalId(db, command.partnerId, command.externalId);
  if (topup === null) return null;
  if (!isSameTopup(topup, command)) throw externalIdTaken();
  return { topup, repeated: true };
}

/** Above the maximum a settlement would await an admin; nobody decides about top-ups, so there it is an end. */
export function refuseOutside(terms: PairTerms, amountMinor: bigint): void {
  refuseBelowMinimum(terms, amountMinor, { pointer: "/amount" });
  if (amountMinor <= terms.maximumSourceMinor) return;
  const message = `The amount is above the pair's maximum of ${terms.maximumSourceMinor}.`;
  throw new Refusal("amount_too_large", { detail: message, errors: [{ pointer: "/amount", code: "amount_too_large", message }] });
}

function walletOf(member: Member, chain: string): string {
  if (member.chain !== chain) {
    const message = `The member's wallet is on ${member.chain}.`;
    throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
  }
  if (member.walletAddress === null || member.safeStatus === "failed") {
    throw safeMissing("The member has no wallet: its Safe is not deployed.", member.safeStatus);
  }
  return member.walletAddress;
}

type Parties = { member: Member; provider: string };

function toTopup(command: RequestTopup, { pricing, input, kept }: OrderPricing, { member, provider }: Parties): Topup {
  const { partnerId, apiKeyId, externalId, externalUserId, amountMinor, currency, destinationCurrency, chain, source } = command;
  const { now, token } = pricing;
  const id = newId("topup", now);
  return {
    id,
    partnerId,
    apiKeyId,
    externalId,
    externalUserId,
    amountMinor,
    currency,
    destinationCurrency,
    chain,
    source,
    memberId: member.id,
    walletAddress: walletOf(member, chain),
    step: "collecting",
    payment: paymentAdvice({ id, source, currency }, fiatAmount(amountMinor, currency)),
    ...priceTopup(input),
    ...kept,
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    callbackUrl: command.callbackUrl,
    provider,
    trace: command.trace ?? null,
    metadata: command.metadata ?? null,
    providerReference: null,
    txHash: null,
    failureReason: null,
    expiresAt: new Date(now.getTime() + TOPUP_LIFETIME_MS),
    expiredAt: null,
    latePaidAt: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    cancelledAt: null,
  };
}
