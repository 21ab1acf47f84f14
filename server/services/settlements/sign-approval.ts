import type { By } from "#domain/access.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { type Decimal, decimal, formatDecimal } from "#domain/decimal.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { priceSource } from "#domain/quote.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import { isAboveThreshold, type PriceFacts, settlementFacts } from "#domain/signed-approval.ts";
import type { Decision } from "#domain/signed-decision.ts";
import type { Uses } from "#server/context.ts";
import { keepSignature } from "#server/services/proposals/keep-signature.ts";

type Powers = Uses<"db" | "clock" | "mode" | "policy">;

/** Whether the approval of one of these must be signed: by its own amount, or by what those of a currency come to. */
export function mustBeSigned({ policy }: Uses<"policy">, settlements: readonly Settlement[]): boolean {
  const { signedApprovals } = policy;
  if (signedApprovals === null) return false;
  const sums = new Map<string, bigint>();
  for (const { sourceCurrency, sourceAmountMinor } of settlements)
    sums.set(sourceCurrency, (sums.get(sourceCurrency) ?? 0n) + sourceAmountMinor);
  return [...sums].some(([currency, minor]) => isAboveThreshold(signedApprovals, currency, decimal(fiatAmount(minor, currency))));
}

const amountOf = ({ sourceAmountMinor, sourceCurrency }: Settlement) => fiatAmount(sourceAmountMinor, sourceCurrency);

/** `quote`: the price at this moment, where nobody saw one. */
type Approval = { quote: Quote; expected: Decimal | null; note: string | null };

/**
 * Stores the signature of an approval, at the price that its approver saw. One that came without being demanded is compared and stored, too.
 *
 * @throws Refusal `passkey_required` (with the decision) where it must be signed and is not
 */
export async function signApproval(ctx: Powers, settlement: Settlement, { by, ...approval }: Approval & { by: By }): Promise<void> {
  if (!mustBeSigned(ctx, [settlement]) && !by.signature) return;
  await keepSignature(ctx, { by, objectId: settlement.id, decision: approvalOf(ctx, settlement, approval) });
}

/** What is signed of an approval. */
export function approvalOf({ policy }: Uses<"policy">, settlement: Settlement, { quote, expected, note }: Approval): Decision {
  const rate = expected ?? quote.exchangeRate;
  const { destinationAmountBase } = priceSource({
    sourceAmountMinor: settlement.sourceAmountMinor,
    sourceExponent: findFiatCurrency(settlement.sourceCurrency)?.exponent ?? 0,
    exchangeRate: rate,
    platformFeeBase: quote.platformFeeBase,
    tokenDecimals: settlement.tokenDecimals,
  });
  const price: PriceFacts = {
    amount: tokenAmount(destinationAmountBase, settlement.tokenDecimals),
    platform_fee: tokenAmount(quote.platformFeeBase, settlement.tokenDecimals),
    exchange_rate: formatDecimal(rate),
    price_version: quote.version,
    tolerance_bps: policy.driftToleranceBps,
  };
  const facts = { ...settlementFacts(settlement, amountOf(settlement)), ...price, note };
  return { action: "settlement.approve", subject: settlement.id, facts };
}

export type SignBatch = { by: By; id: string; totals: ReadonlyMap<string, Decimal>; note: string | null };

/** The same of all items of a batch. `totals`: the net amounts that its approver saw, by currency. */
export async function signBatchApproval(ctx: Powers, items: readonly Settlement[], { by, id, totals, note }: SignBatch): Promise<void> {
  if (!mustBeSigned(ctx, items)) return;
  const facts = {
    count: items.length,
    totals: Object.fromEntries([...totals].map(([currency, amount]) => [currency, formatDecimal(amount)])),
    items: items.map((item) => settlementFacts(item, amountOf(item))),
    tolerance_bps: ctx.policy.driftToleranceBps,
    note,
  };
  await keepSignature(ctx, { by, objectId: id, decision: { action: "batch.approve", subject: id, facts } });
}
