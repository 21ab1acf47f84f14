import type { Settlement } from "#sdk/typescript/src/index.ts";
import { amountText } from "./amounts.ts";
import { aligned, type Paint } from "./out.ts";

/** The labels of the amounts, which depend on the status: neither is taken or delivered too early. */
const WORDS: Record<Settlement["status"], { taken: string; delivered: string }> = {
  quoted: { taken: "Would be taken", delivered: "Would be delivered" },
  processing: { taken: "Taken", delivered: "To be delivered" },
  executed: { taken: "Taken", delivered: "Delivered" },
  failed: { taken: "Amount", delivered: "Not delivered" },
  cancelled: { taken: "Not taken", delivered: "Not delivered" },
};

/** A settlement, as people read it. */
export function settlementView(settlement: Settlement, paint: Paint): string {
  const { undelivered_callbacks: undelivered } = settlement;
  return aligned(
    [
      ["Settlement", paint.bold(settlement.tx_id)],
      ["Status", statusOf(settlement, paint)],
      ["Waits for", settlement.waiting_reason && `${settlement.waiting_reason}, since ${settlement.waiting_since}`],
      [
        WORDS[settlement.status].taken,
        `${amountText(settlement.source_amount, settlement.source_currency)} (${settlement.source_amount} minor units)`,
      ],
      [
        WORDS[settlement.status].delivered,
        `${amountText(settlement.destination_amount, settlement.destination_currency)}, after a fee of ${amountText(settlement.platform_fee, settlement.destination_currency)}`,
      ],
      ["Rate", `${settlement.exchange_rate} ${settlement.destination_currency} per ${settlement.source_currency}`],
      ["To", `${settlement.wallet_address} on ${settlement.chain}`],
      ["Valid until", settlement.status === "quoted" ? settlement.expires_at : null],
      ["Your reference", settlement.external_tx_id],
      ["Callback URL", settlement.callback_url],
      ["Transaction", settlement.tx_hash],
      ["Failed because", settlement.failure_reason],
      ["Rejected because", settlement.rejection_reason],
      ["Undelivered", undelivered.length === 0 ? null : undelivered.map(({ id, event }) => `${id} (${event})`).join(", ")],
    ],
    paint,
  );
}

export function statusOf({ status, approval_state }: Pick<Settlement, "status" | "approval_state">, paint: Paint): string {
  const colours: Partial<Record<Settlement["status"], (text: string) => string>> = {
    executed: paint.green,
    failed: paint.red,
    cancelled: paint.red,
  };
  const word = (colours[status] ?? paint.yellow)(status);
  return approval_state === null ? word : `${word}, approval ${approval_state}`;
}
