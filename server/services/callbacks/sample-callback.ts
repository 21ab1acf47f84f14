import { renderTopupCallback, renderWithdrawalCallback } from "#contract/partner/fiat-answers.ts";
import { renderBatchCallback, renderSettlementCallback } from "#contract/settlement/v1/callback-body.ts";
import type { CallbackEvent } from "#domain/callback.ts";
import { decimal } from "#domain/decimal.ts";
import { priceTopup, priceWithdrawal } from "#domain/fiat-price.ts";
import { newSampleId } from "#domain/ids.ts";
import { type Action, advance } from "#domain/lifecycle.ts";
import { priceSource, quotedRate } from "#domain/quote.ts";
import type { Settlement } from "#domain/settlement.ts";
import { shareOf, type TalliedBatch, tallyOf } from "#domain/settlement-batch.ts";
import type { TokenInfo } from "#domain/token.ts";
import { advanceTopup, paymentAdvice, TOPUP_LIFETIME_MS, type Topup, type TopupAction, type TopupEvent } from "#domain/topup.ts";
import { advanceWithdrawal, type Withdrawal, type WithdrawalAction, type WithdrawalEvent } from "#domain/withdrawal.ts";
import type { ChainInfo } from "#server/ports.ts";

/**
 * What callbacks would say of things that never were, made by the code that makes the real ones: no sample can be wrong about a
 * field. Whatever names something says that it is a sample.
 */
export type SampleOf = {
  event: CallbackEvent;
  url: string;
  /** One of the installation's chains; undefined: it has none. */
  chain: ChainInfo | undefined;
  /** Business time of the change that it reports. */
  now: Date;
};

/** The id, subject and body of one callback. Ids are new each time: a receiver that has seen one sample will take the next. */
export function sampleCallback({ event, ...made }: SampleOf): { id: string; subjectId: string; body: string } {
  const { subjectId, body } = render(event, factsOf(made));
  return { id: newSampleId("callback"), subjectId, body };
}

function render(event: CallbackEvent, facts: Facts): { subjectId: string; body: string } {
  switch (event) {
    case "settlement.approved":
    case "settlement.executed":
    case "settlement.failed": {
      const settlement = settlementAfter(event, facts);
      return { subjectId: settlement.id, body: renderSettlementCallback(settlement, event) };
    }
    case "batch.completed": {
      const batch = batchOf(settlementAfter("settlement.executed", facts), facts);
      return { subjectId: batch.id, body: renderBatchCallback(batch) };
    }
    case "withdrawal.completed":
    case "withdrawal.failed":
    case "withdrawal.cancelled": {
      const withdrawal = WITHDRAWAL_STEPS_TO[event].reduce((one, action) => advanceWithdrawal(one, action, facts.now), withdrawalOf(facts));
      return { subjectId: withdrawal.id, body: renderWithdrawalCallback(withdrawal, event) };
    }
    case "topup.completed":
    case "topup.failed":
    case "topup.cancelled": {
      const topup = TOPUP_STEPS_TO[event].reduce((one, action) => advanceTopup(one, action, facts.now), topupOf(facts));
      return { subjectId: topup.id, body: renderTopupCallback(topup, event) };
    }
  }
}

type Facts = ReturnType<typeof factsOf>;

const TOKEN: TokenInfo = { currency: "USDT", address: null, decimals: 6 };
const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TX_HASH = `0x${"0".repeat(64)}`;
const REASON = "A sample: nothing was tried.";
const MID_RATE = decimal("0.0077435");
const PRICE = { midRate: MID_RATE, spreadBps: 25 };
/** KES, of which there are 100 minor units. */
const FIAT = { currency: "KES", exponent: 2, amountMinor: 12_950_000n };
const MINUTE_MS = 60_000;

function factsOf({ chain, url, now }: Omit<SampleOf, "event">) {
  const token = chain?.tokens.find(({ address }) => address !== null) ?? chain?.tokens[0] ?? TOKEN;
  const origin = { rateSource: "sample", rateAsOf: now, pairTermsId: "sample" };
  const nobody = { partnerId: "sample", apiKeyId: "sample" };
  const place = { chain: chain?.chain ?? "eip155:1", tokenAddress: token.address, tokenDecimals: token.decimals };
  return { url, now, currency: token.currency, begun: new Date(now.getTime() - MINUTE_MS), own: { ...nobody, ...place }, origin };
}

function settlementAfter(event: "settlement.approved" | "settlement.executed" | "settlement.failed", facts: Facts): Settlement {
  const quoted = settlementOf(facts);
  const { quote } = quoted;
  if (event === "settlement.approved") return advance({ ...quoted, approvalState: "pending" }, { type: "approve", quote }, facts.now);
  const confirmed = advance(quoted, { type: "confirm", externalTxId: "sample", callbackUrl: facts.url }, facts.begun);
  const end: Action = event === "settlement.executed" ? { type: "execute", txHash: TX_HASH } : { type: "fail", reason: REASON };
  return advance(confirmed, end, facts.now);
}

/** Completed, with one item. */
function batchOf(item: Settlement, { begun, now, url }: Facts): TalliedBatch {
  const { partnerId, apiKeyId, trace } = item;
  const named = {
    id: newSampleId("batch"),
    partnerId,
    apiKeyId,
    externalBatchId: "sample",
    bodySha256: "",
    itemCount: 1,
    callbackUrl: url,
  };
  const times = { createdAt: begun, confirmedAt: begun, cancelledAt: null, completedAt: now };
  return { ...named, ...times, trace, metadata: null, status: "completed", ...tallyOf([shareOf(item)]) };
}

function settlementOf({ begun, now, url, currency, own, origin }: Facts): Settlement {
  const exchangeRate = quotedRate(MID_RATE, PRICE.spreadBps);
  const platformFeeBase = 10n ** BigInt(own.tokenDecimals) / 2n;
  const { amountMinor: sourceAmountMinor, exponent: sourceExponent } = FIAT;
  const price = priceSource({ sourceAmountMinor, sourceExponent, exchangeRate, platformFeeBase, tokenDecimals: own.tokenDecimals });
  const expiresAt = new Date(now.getTime() + 5 * MINUTE_MS);
  return {
    ...own,
    id: newSampleId("settlement"),
    batchId: null,
    status: "quoted",
    approvalState: null,
    externalTxId: null,
    externalMerchantId: "sample",
    sourceAmountMinor,
    sourceCurrency: FIAT.currency,
    destinationCurrency: currency,
    walletAddress: WALLET,
    quote: { version: 1, ...price, ...PRICE, ...origin, exchangeRate, pricedAt: begun, expiresAt },
    creationCallbackUrl: url,
    callbackUrl: null,
    createdAt: begun,
    confirmedAt: null,
    cancelledAt: null,
    approvalDecidedAt: null,
    trace: null,
    metadata: null,
    rejectionReason: null,
    txHash: null,
    executedAt: null,
    failureReason: null,
    failedAt: null,
  };
}

const WITHDRAWAL_STEPS_TO: Record<WithdrawalEvent, readonly WithdrawalAction[]> = {
  "withdrawal.completed": [
    { type: "sweep", treasuryAddress: WALLET },
    { type: "take", txHash: TX_HASH },
    { type: "pay", reference: "sample" },
  ],
  "withdrawal.failed": [
    { type: "sweep", treasuryAddress: WALLET },
    { type: "fail_sweep", reason: REASON },
  ],
  "withdrawal.cancelled": [{ type: "cancel" }],
};
const TOPUP_STEPS_TO: Record<TopupEvent, readonly TopupAction[]> = {
  "topup.completed": [
    { type: "collect", reference: "sample" },
    { type: "deliver", txHash: TX_HASH },
  ],
  "topup.failed": [{ type: "fail_collection", reference: "sample", reason: REASON }],
  "topup.cancelled": [{ type: "cancel" }],
};

const ACCOUNT = { type: "mobile_money", account: "+254700000000" } as const;

/** What withdrawals and top-ups have in common before anything happened to them. */
function orderOf({ begun, url, own, origin }: Facts) {
  const nothingYet = {
    provider: "sample",
    trace: null,
    metadata: null,
    providerReference: null,
    txHash: null,
    failureReason: null,
    completedAt: null,
    cancelledAt: null,
  };
  const asked = { externalId: "sample", memberId: "sample", externalUserId: "sample", callbackUrl: url };
  const amount = { amountMinor: FIAT.amountMinor, currency: FIAT.currency, chargeFeePercentage: decimal("1") };
  return { ...own, ...PRICE, ...origin, ...nothingYet, ...asked, ...amount, createdAt: begun, updatedAt: begun };
}

function withdrawalOf(facts: Facts): Withdrawal {
  const order = orderOf(facts);
  const destination = { ...ACCOUNT, name: "Sample" };
  const untouched = { step: "reserved", safeAddress: WALLET, treasuryAddress: null, returnTxHash: null } as const;
  const price = priceWithdrawal({ ...order, exponent: FIAT.exponent });
  return { ...order, ...untouched, ...price, id: newSampleId("withdrawal"), sourceCurrency: facts.currency, destination };
}

function topupOf(facts: Facts): Topup {
  const order = orderOf(facts);
  const id = newSampleId("topup");
  const payment = paymentAdvice({ id, source: ACCOUNT, currency: FIAT.currency }, "129500.00");
  const price = priceTopup({ ...order, exponent: FIAT.exponent });
  const delivery = { destinationCurrency: facts.currency, walletAddress: WALLET };
  const times = { expiresAt: new Date(facts.begun.getTime() + TOPUP_LIFETIME_MS), expiredAt: null, latePaidAt: null };
  return { ...order, ...price, ...delivery, ...times, id, step: "collecting", source: { ...ACCOUNT }, payment };
}
