import { canonicalJson, type Json } from "./canonical-json.ts";
import { type Decimal, decimal } from "./decimal.ts";
import { rateHasMoved } from "./quote.ts";
import type { Settlement } from "./settlement.ts";
import type { DecisionRecord, Facts } from "./signed-decision.ts";

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

/** Why a signed record does not cover the payment of a settlement; null where it does. */
export function recordFault(
  record: DecisionRecord,
  settlement: Settlement,
  sourceAmount: string,
): "another settlement" | "another price" | null {
  const facts = settlementFacts(settlement, sourceAmount);
  if (record.action === "batch.approve") {
    const items = Array.isArray(record.facts.items) ? (record.facts.items as Json[]) : [];
    return items.some((item) => canonicalJson(item) === canonicalJson(facts)) ? null : "another settlement";
  }
  if (record.action !== "settlement.approve" || record.subject !== settlement.id) return "another settlement";
  const signed = record.facts as unknown as PriceFacts & Facts;
  if (Object.entries(facts).some(([name, value]) => canonicalJson(signed[name] ?? null) !== canonicalJson(value)))
    return "another settlement";
  const { version, exchangeRate } = settlement.quote;
  if (signed.price_version !== version) return "another price";
  return rateHasMoved(decimal(signed.exchange_rate), exchangeRate, signed.tolerance_bps) ? "another price" : null;
}
