import { renderSettlementCallback } from "#contract/settlement/v1/callback-body.ts";
import { renderSettlement } from "#contract/settlement/v1/settlement.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import { advance, type SettlementEvent } from "#domain/lifecycle.ts";
import { baseToDecimal } from "#domain/money.ts";
import { priceSource } from "#domain/quote.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Site } from "../_parts/site.ts";
import { SAMPLE_SOURCE_AMOUNT, SAMPLE_SOURCE_CURRENCY, SAMPLE_WALLET } from "./samples.ts";

/** One settlement through its lifecycle, computed by the service's own code, so that no example can be wrong about a field or a digit. */

const TOKEN_DECIMALS = 6;
/** With a sandbox's initial data, so that sending the example returns what the page shows. */
const RATE = decimal("0.00768189045");
const MID_RATE = decimal("0.00773994");
const SPREAD_BPS = 75;
const FEE_BASE = 500_000n;
const CREATED = new Date("2026-11-21T10:00:00.000Z");
const EXPIRES = new Date("2026-11-21T10:05:00.000Z");
const EXPONENT = findFiatCurrency(SAMPLE_SOURCE_CURRENCY)?.exponent ?? 2;

function exampleQuote(): Quote {
  const input = {
    sourceAmountMinor: BigInt(SAMPLE_SOURCE_AMOUNT),
    sourceExponent: EXPONENT,
    exchangeRate: RATE,
    platformFeeBase: FEE_BASE,
  };
  const price = priceSource({ ...input, tokenDecimals: TOKEN_DECIMALS });
  const origin = { version: 1, midRate: MID_RATE, spreadBps: SPREAD_BPS, rateSource: "example", rateAsOf: CREATED, pairTermsId: "example" };
  return { ...price, ...origin, exchangeRate: RATE, pricedAt: CREATED, expiresAt: EXPIRES };
}

function quoted({ example }: Site): Settlement {
  const nothingYet = {
    batchId: null,
    externalTxId: null,
    creationCallbackUrl: null,
    callbackUrl: null,
    confirmedAt: null,
    cancelledAt: null,
  };
  const undecided = { approvalState: null, approvalDecidedAt: null, trace: null, metadata: null, failedAt: null, rejectionReason: null };
  return {
    ...nothingYet,
    ...undecided,
    id: "tx_01k9x2m7h3q8v4b6n5c1d0e9ra",
    partnerId: "example",
    apiKeyId: "example",
    status: "quoted",
    externalMerchantId: "merchant-7",
    sourceAmountMinor: BigInt(SAMPLE_SOURCE_AMOUNT),
    sourceCurrency: SAMPLE_SOURCE_CURRENCY,
    destinationCurrency: example.currency,
    chain: example.chain,
    walletAddress: SAMPLE_WALLET,
    tokenAddress: null,
    tokenDecimals: TOKEN_DECIMALS,
    quote: exampleQuote(),
    createdAt: CREATED,
    txHash: null,
    executedAt: null,
    failureReason: null,
  };
}

function confirmed(site: Site): Settlement {
  const confirm = { type: "confirm", externalTxId: "order-1001", callbackUrl: "https://partner.example/callbacks" } as const;
  return advance(quoted(site), confirm, new Date("2026-11-21T10:01:30.250Z"));
}

/** The settlement as returned by its creation. */
export function exampleSettlement(site: Site): string {
  return pretty(JSON.stringify(renderSettlement(quoted(site), [])));
}

/** The confirmation of that settlement. */
export function confirmBody(site: Site): string {
  const { net } = exampleArithmetic();
  return `POST ${site.baseUrl}/api/v1/settlements/{tx_id}/confirm

{"external_tx_id": "order-1001", "expected_destination_amount": ${net}, "callback_url": "https://partner.example/callbacks"}`;
}

const ENDED = new Date("2026-11-21T10:01:44.000Z");

/** The body of each callback. */
export function exampleCallback(site: Site, event: SettlementEvent): string {
  const pending: Settlement = { ...quoted(site), approvalState: "pending" };
  const after = {
    "settlement.approved": () => advance(pending, { type: "approve", quote: exampleQuote() }, CREATED),
    "settlement.executed": () => advance(confirmed(site), { type: "execute", txHash: `0x${"9f4e2a7c".repeat(8)}` }, ENDED),
    "settlement.failed": () => advance(confirmed(site), { type: "fail", reason: "The token refuses to pay this wallet." }, ENDED),
  }[event]();
  return pretty(renderSettlementCallback(after, event));
}

/** The steps of the quote in digits, for checking. */
export function exampleArithmetic(): { source: string; rate: string; gross: string; fee: string; net: string } {
  const quote = exampleQuote();
  const units = (base: bigint) => formatDecimal(baseToDecimal(base, TOKEN_DECIMALS));
  return {
    source: formatDecimal({ coefficient: BigInt(SAMPLE_SOURCE_AMOUNT), scale: EXPONENT }),
    rate: formatDecimal(quote.exchangeRate),
    gross: units(quote.grossBase),
    fee: units(quote.platformFeeBase),
    net: units(quote.destinationAmountBase),
  };
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
