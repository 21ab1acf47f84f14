import { insertQuoted } from "#db/queries/settlements/insert-quoted.ts";
import { readQuoteBasis } from "#db/queries/settlements/quote-basis.ts";
import type { Liquidity } from "#db/queries/transfers/liquidity.ts";
import type { By } from "#domain/access.ts";
import type { LimitedPayment } from "#domain/exposure-limit.ts";
import { newId } from "#domain/ids.ts";
import { coversPayment } from "#domain/liquidity.ts";
import { findExceeded, type OpenLimit } from "#domain/open-quotes.ts";
import { type PairTerms, refuseBelowMinimum } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import { demandOf } from "#server/services/approval-policy/require-approvals.ts";
import { judgeQuoteLimits, quoteVerdict } from "#server/services/exposure/judge-quote.ts";
import { findMarket, type Pricing, pricingOn } from "#server/services/rates/read-pricing.ts";
import { rememberDestination } from "#server/services/screening/known-destinations.ts";
import { priceSettlement } from "./price-settlement.ts";

export type CreateSettlement = {
  partnerId: string;
  apiKeyId: string;
  by: By;
  sourceAmountMinor: bigint;
  sourceCurrency: string;
  destinationCurrency: string;
  externalMerchantId: string;
  chain: string;
  walletAddress: string;
  /** Already judged by `checkCallbackUrl`, outside of any transaction. */
  callbackUrl: string | null;
  /** The `traceparent` that the settlement will be traced under; left out: none. */
  trace?: string | null;
};

/**
 * Creates a settlement with a guaranteed rate until `expiresAt` (specification, parts 1 and 4). Above the pair's maximum, beyond an
 * exposure limit (contract, part 10), or where the approval policy requires it, it waits for approval (`approvalState` `pending`).
 *
 * @throws Refusal `unsupported_pair`, `unsupported_chain`, `invalid_wallet_address`, `amount_too_small`, `amount_too_large`,
 * `rate_unavailable`, `liquidity_unavailable` (an operator has paused every wallet of the chain, or the treasury cannot pay that much on
 * top of its promises, or the open quotes of the pair have reached a limit). Only in a transaction that limit is kept by two at once.
 */
export async function createSettlement(ctx: Uses<"db" | "chains">, command: CreateSettlement): Promise<Settlement> {
  const market = findMarket(ctx, command);
  const { conditions, ...basis } = await readQuoteBasis(ctx.db, { ...command, recipient: command.walletAddress });
  const pricing = pricingOn(market, basis.priced);
  refuseHalted(basis.isHalted);
  const { terms, token, now } = pricing;
  refuseBelowMinimum(terms, command.sourceAmountMinor);
  const quote = priceSettlement(pricing, command.sourceAmountMinor, { version: 1, lifetimeSeconds: terms.quoteLifetimeSeconds });
  const settlement: Settlement = {
    id: newId("settlement", now),
    partnerId: command.partnerId,
    apiKeyId: command.apiKeyId,
    status: "quoted",
    approvalState: null,
    externalTxId: null,
    externalMerchantId: command.externalMerchantId,
    sourceAmountMinor: command.sourceAmountMinor,
    sourceCurrency: command.sourceCurrency,
    destinationCurrency: command.destinationCurrency,
    chain: command.chain,
    walletAddress: admitWallet(command, pricing, basis.ours),
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    quote,
    creationCallbackUrl: command.callbackUrl,
    callbackUrl: null,
    trace: command.trace ?? null,
    createdAt: now,
    confirmedAt: null,
    cancelledAt: null,
    approvalDecidedAt: null,
    rejectionReason: null,
    txHash: null,
    executedAt: null,
    failureReason: null,
  };
  refuseBeyondFunds(basis.funds, quote);
  refuseBeyondOpen(basis.open, command);
  const beyond = judgeQuoteLimits(conditions.limits, paymentOf(settlement, terms), now);
  const demand = demandOf(conditions.policy, settlement);
  const isAboveMaximum = command.sourceAmountMinor > terms.maximumSourceMinor;
  if (isAboveMaximum || beyond.length > 0 || demand !== null) settlement.approvalState = "pending";
  const { status, approvalState, id: objectId, partnerId } = settlement;
  const change = { status, approval_state: approvalState };
  const entry = { by: command.by, partnerId, action: "settlement.created", objectId, change, now };
  await insertQuoted(ctx.db, { settlement, entry, verdict: quoteVerdict(settlement, beyond, now), demand });
  rememberDestination(settlement);
  return settlement;
}

/** What it would owe, as limits see it. */
function paymentOf({ quote, tokenDecimals, destinationCurrency, walletAddress, ...of }: Settlement, terms: PairTerms): LimitedPayment {
  const { sourceCurrency: currency, sourceAmountMinor: amountMinor } = of;
  const price = { exchangeRate: quote.exchangeRate, rateIs: "token_per_fiat", maximumMinor: terms.maximumSourceMinor } as const;
  const source = { currency, amountMinor, ...price };
  return { amountBase: quote.destinationAmountBase, tokenDecimals, currency: destinationCurrency, recipient: walletAddress, source };
}

function admitWallet(command: CreateSettlement, pricing: Pricing, ours: readonly string[]): string {
  const contracts = pricing.chain.tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
  return checkWalletAddress({ chain: command.chain, address: command.walletAddress, refused: [...contracts, ...ours] });
}

/**
 * Nothing is quoted that the treasury, minus its promises, cannot pay. A quote reserves nothing: a confirmation that can no longer be paid
 * is accepted, and waits.
 */
function refuseBeyondFunds(funds: Liquidity | null, quote: Quote): void {
  if (coversPayment(funds, quote.destinationAmountBase)) return;
  const detail = "So much cannot be paid on this chain just now.";
  throw new Refusal("liquidity_unavailable", { detail, retryAfterSeconds: 60 });
}

/** What is promised at a rate and not paid is limited: the rate may move against all of it at once. */
function refuseBeyondOpen(
  open: readonly OpenLimit[],
  { sourceAmountMinor: amountMinor, sourceCurrency: currency }: CreateSettlement,
): void {
  if (findExceeded(open, { amountMinor, currency }) === null) return;
  throw new Refusal("liquidity_unavailable", { detail: "No more of this pair is quoted just now.", retryAfterSeconds: 60 });
}

/** Quoting what nobody may pay out would break the promise of the rate. */
function refuseHalted(isHalted: boolean): void {
  if (!isHalted) return;
  throw new Refusal("liquidity_unavailable", { detail: "Payments on this chain are paused.", retryAfterSeconds: 60 });
}
