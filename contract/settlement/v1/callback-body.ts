import { instant } from "#contract/primitives.ts";
import type { SettlementEvent } from "#domain/lifecycle.ts";
import type { Settlement } from "#domain/settlement.ts";
import { publishedAmounts } from "./settlement.ts";

/** The exact bytes of a settlement's callback: the fields of specification part 6, no more. */
export function renderSettlementCallback(settlement: Settlement, event: SettlementEvent): string {
  return JSON.stringify(event === "settlement.approved" ? approval(settlement) : terminal(settlement));
}

function approval(settlement: Settlement): Record<string, unknown> {
  return {
    tx_id: settlement.id,
    external_tx_id: settlement.externalTxId,
    event: "settlement.approved",
    status: "approved",
    chain: settlement.chain,
    source_amount: Number(settlement.sourceAmountMinor),
    ...publishedAmounts(settlement),
    expires_at: instant(settlement.quote.expiresAt),
  };
}

function terminal(settlement: Settlement): Record<string, unknown> {
  return {
    tx_id: settlement.id,
    external_tx_id: settlement.externalTxId,
    status: settlement.status,
    ...(settlement.txHash === null ? {} : { tx_hash: settlement.txHash }),
    chain: settlement.chain,
    ...publishedAmounts(settlement),
    ...(settlement.failureReason === null ? {} : { failure_reason: settlement.failureReason }),
    ...(settlement.executedAt === null ? {} : { executed_at: instant(settlement.executedAt) }),
  };
}
