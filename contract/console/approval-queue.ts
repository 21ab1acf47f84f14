import { instant } from "#contract/primitives.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { baseToDecimal } from "#domain/money.ts";
import type { RiskHint } from "#domain/risk-hint.ts";
import type { Settlement } from "#domain/settlement.ts";
import { fiatAmount, type SettlementRowWire } from "./settlement.ts";

/** What a person decided on a settlement, which is shown as it stands today. */
export type OwnDecisionWire = SettlementRowWire & { decision: { action: string; at: string; reason: string | null } };

/** Why a person might look twice. Amounts in units of the settlement's source currency. */
export type RiskHintWire = {
  kind: RiskHint["kind"];
  sentence: string;
  /** 95 of 100 of the merchant's settlements stayed below `usual_amount`, of so many that were compared; null: says nothing here. */
  usual: { amount: string; compared: string } | null;
  evidence: { tx_id: string; at: string; source_amount: string; source_currency: string; wallet_address: string }[];
};

export function renderRiskHint(hint: RiskHint, sourceCurrency: string): RiskHintWire {
  const figure = (name: string) => hint.figures.find((each) => each.name === name)?.value;
  const [usual, compared] = [figure("p95"), figure("compared")];
  return {
    kind: hint.kind,
    sentence: hint.sentence,
    usual: usual === undefined ? null : { amount: fiatAmount(BigInt(usual), sourceCurrency), compared: compared ?? "0" },
    evidence: hint.evidence.map(({ id, at, sourceAmountMinor, sourceCurrency: currency, walletAddress }) => ({
      tx_id: id,
      at: instant(at),
      source_amount: fiatAmount(sourceAmountMinor, currency),
      source_currency: currency,
      wallet_address: walletAddress,
    })),
  };
}

/** What came of one of many that were to be approved. */
export type BulkOutcomeWire = {
  tx_id: string;
  outcome: "approved" | "price_moved" | "decided" | "needs_two" | "refused";
  /** What is paid now, where it was approved. */
  net: string | null;
  /** One sentence about it; null where the outcome says all. */
  detail: string | null;
};

type Outcome = {
  id: string;
  outcome: BulkOutcomeWire["outcome"];
  settlement?: Settlement;
  decision?: { action: string; actorType: string; actorName: string | null } | null;
  refusal?: { message: string } | null;
};

export function renderBulkOutcome({ id, outcome, settlement, decision, refusal }: Outcome): BulkOutcomeWire {
  const net = settlement && formatDecimal(baseToDecimal(settlement.quote.destinationAmountBase, settlement.tokenDecimals));
  return { tx_id: id, outcome, net: net ?? null, detail: decision ? decidedBy(decision) : (refusal?.message ?? null) };
}

function decidedBy({ action, actorType, actorName }: NonNullable<Outcome["decision"]>): string {
  const verb = action === "settlement.approved" ? "approved" : "rejected";
  const who =
    actorType === "system" ? "the service" : actorType === "user" ? (actorName ?? "somebody") : `an operator's key “${actorName}”`;
  return `Already ${verb} by ${who}.`;
}
