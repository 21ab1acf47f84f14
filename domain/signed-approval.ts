import { canonicalJson, type Json } from "./canonical-json.ts";
import { type Decimal, decimal } from "./decimal.ts";
import { rateHasMoved } from "./quote.ts";
import type { Settlement } from "./settlement.ts";
import { type Decision, type DecisionRecord, type Facts, isRecordOf, readRecord } from "./signed-decision.ts";

/** Which approvals a passkey must sign: of amounts above these, by source currency; of a currency that is not named, every one. */
export type SigningThresholds = ReadonlyMap<string, Decimal>;

/** Every approval is signed. */
export const ALL_SIGNED: SigningThresholds = new Map();

/** Reads `KES=1000000,UGX=5000000`; null for anything else. */
export function readThresholds(text: string): SigningThresholds | null {
  const pairs = text.split(",").map((pair) => /^\s*([A-Z]{3})=(\d{1,30}(?:\.\d{1,8})?)\s*$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return null;
  return new Map(pairs.map((pair) => [pair?.[1] ?? "", decimal(pair?.[2] ?? "0")]));
}

/** Whether an approval of this amount must be signed. */
export function isAboveThreshold(thresholds: SigningThresholds, currency: string, amount: Decimal): boolean {
  const most = thresholds.get(currency);
  if (most === undefined) return true;
  const scale = Math.max(most.scale, amount.scale);
  const units = ({ coefficient, scale: own }: Decimal) => coefficient * 10n ** BigInt(scale - own);
  return units(amount) > units(most);
}

/** What of a settlement is signed, apart from its price. */
export type SettlementFacts = Facts & { recipient: string; chain: string; token: string; token_address: string | null };

/** The facts of a settlement that its payment must not differ from. `sourceAmount`: a decimal text. */
export function settlementFacts(settlement: Settlement, sourceAmount: string): SettlementFacts {
  return {
    settlement: settlement.id,
    partner: settlement.partnerId,
    merchant: settlement.externalMerchantId,
    source_amount: sourceAmount,
    source_currency: settlement.sourceCurrency,
    recipient: settlement.walletAddress,
    chain: settlement.chain,
    token: settlement.destinationCurrency,
    token_address: settlement.tokenAddress,
  };
}

/** The price that its approver saw. */
export type PriceFacts = {
  amount: string;
  platform_fee: string;
  exchange_rate: string;
  price_version: number;
  tolerance_bps: number;
};

/** One decision over many approvals: what each of them has, with its price. */
export function approvalOfMany(approvals: readonly Decision[]): Decision {
  return {
    action: "settlements.approve",
    subject: "settlements",
    facts: { count: approvals.length, items: approvals.map(({ facts }) => facts) },
  };
}

/** The record, where it is of exactly this decision, alone or as one of many approvals. */
export function recordOf(text: string, decision: Decision): DecisionRecord | null {
  if (isRecordOf(text, decision)) return readRecord(text);
  const record = readRecord(text);
  if (record?.action !== "settlements.approve" || decision.action !== "settlement.approve") return null;
  return itemsOf(record).some((item) => canonicalJson(item) === canonicalJson(decision.facts)) ? record : null;
}

function itemsOf({ facts }: DecisionRecord): Json[] {
  return Array.isArray(facts.items) ? (facts.items as Json[]) : [];
}

/** Why a signed record does not cover the payment of a settlement; null where it does. */
export function recordFault(
  record: DecisionRecord,
  settlement: Settlement,
  sourceAmount: string,
): "another settlement" | "another price" | null {
  const facts = settlementFacts(settlement, sourceAmount);
  if (record.action === "batch.approve") {
    return itemsOf(record).some((item) => canonicalJson(item) === canonicalJson(facts)) ? null : "another settlement";
  }
  const signed = approvedIn(record, settlement.id);
  if (signed === undefined) return "another settlement";
  if (Object.entries(facts).some(([name, value]) => canonicalJson(signed[name] ?? null) !== canonicalJson(value)))
    return "another settlement";
  const { version, exchangeRate } = settlement.quote;
  if (signed.price_version !== version) return "another price";
  return rateHasMoved(decimal(signed.exchange_rate), exchangeRate, signed.tolerance_bps) ? "another price" : null;
}

/** What the record says of the settlement. */
function approvedIn(record: DecisionRecord, id: string): (PriceFacts & Facts) | undefined {
  const approved = record.action === "settlement.approve" ? [record.facts] : record.action === "settlements.approve" ? itemsOf(record) : [];
  return (approved as (PriceFacts & Facts)[]).find(({ settlement }) => settlement === id);
}
