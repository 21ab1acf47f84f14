import { formatDecimal } from "#domain/decimal.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Claims } from "#domain/verify-proof.ts";
import type { Uses } from "#server/context.ts";
import type { PaymentReceipt } from "./payment-evidence.ts";
import { readPaymentReceipt } from "./read-payment-receipt.ts";
import { readSettlement } from "./read-settlement.ts";

/** JWS in compact form; `receipt` is null until the settlement is executed. */
export type SettlementProof = { quote: string; receipt: string | null };

/**
 * The quote in force, and once it is executed the receipt, signed. Both are made of what is stored and of what the chain says, so a settlement
 * has the same proof as long as its status is the same, until the key changes.
 *
 * @throws Refusal `settlement_not_found`, also for a foreign one; `route_not_found` where nothing is signed; `temporarily_unavailable` when
 *   it is executed and the chain does not confirm its payment: final, successful, in the booked block, by two nodes where two are configured.
 */
export async function proveSettlement(
  ctx: Uses<"db" | "evm" | "lapsing" | "proofs">,
  query: { id: string; partnerId?: string },
): Promise<SettlementProof> {
  const { issuer, sign } = ctx.proofs;
  if (sign === null) throw new Refusal("route_not_found", { detail: "This installation does not sign quotes and receipts." });
  const settlement = await readSettlement(ctx, query);
  const quote = sign("quote", quoteClaims(issuer, settlement));
  if (settlement.status !== "executed") return { quote, receipt: null };
  const payment = await readPaymentReceipt(ctx, query);
  if (payment === null) throw notConfirmed();
  return { quote, receipt: sign("receipt", receiptClaims(issuer, settlement, payment)) };
}

/** Nothing is signed, or called proven, that the chain does not confirm now. */
export function notConfirmed(): Refusal {
  return new Refusal("temporarily_unavailable", {
    detail: "The chain's nodes do not confirm the payment right now, so no receipt is signed.",
    retryAfterSeconds: 5,
  });
}

function quoteClaims(issuer: string, settlement: Settlement): Claims {
  const { quote } = settlement;
  return {
    ...agreed(issuer, settlement),
    status: settlement.status,
    iat: seconds(quote.pricedAt),
    quote_version: quote.version,
    // A quote that waits for approval or was rejected guarantees nothing: the proof itself says so.
    approval_state: settlement.approvalState,
    expires_at: quote.expiresAt.toISOString(),
  };
}

function receiptClaims(issuer: string, settlement: Settlement, payment: PaymentReceipt): Claims {
  return {
    ...agreed(issuer, settlement),
    status: settlement.status,
    iat: seconds(settlement.executedAt ?? settlement.createdAt),
    executed_at: settlement.executedAt?.toISOString() ?? null,
    tx_hash: payment.hash,
    block_number: payment.blockHeight,
    block_hash: payment.blockHash,
    log_index: payment.logIndex,
  };
}

/** What quote and receipt both say of what was agreed, which no status changes. Amounts of the destination in base units of the token. */
export function agreed(issuer: string, settlement: Settlement): Claims {
  const { quote } = settlement;
  return {
    iss: issuer,
    sub: settlement.id,
    partner_id: settlement.partnerId,
    external_merchant_id: settlement.externalMerchantId,
    source_amount_minor: settlement.sourceAmountMinor.toString(),
    source_currency: settlement.sourceCurrency,
    destination_currency: settlement.destinationCurrency,
    destination_amount_base: quote.destinationAmountBase.toString(),
    platform_fee_base: quote.platformFeeBase.toString(),
    exchange_rate: formatDecimal(quote.exchangeRate),
    chain: settlement.chain,
    token_address: settlement.tokenAddress,
    token_decimals: settlement.tokenDecimals,
    wallet_address: settlement.walletAddress,
  };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
