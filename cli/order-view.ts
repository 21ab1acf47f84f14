import type { TopupRequestResponse, WithdrawRequestResponse } from "#sdk/typescript/src/index.ts";
import { amountText } from "./amounts.ts";
import { aligned, type Paint } from "./out.ts";

type Status = WithdrawRequestResponse["status"];

/** The labels of the amounts, which depend on what has happened: neither is taken, paid or delivered too early. */
const WITHDRAWN: Record<Status, { taken: string; paid: string }> = {
  pending: { taken: "To be taken", paid: "To be paid out" },
  processing: { taken: "Being taken or taken", paid: "Not paid out yet" },
  completed: { taken: "Taken", paid: "Paid out" },
  failed: { taken: "Amount", paid: "Not paid out" },
};
const TOPPED_UP: Record<Status, { collected: string; delivered: string }> = {
  pending: { collected: "To be collected", delivered: "To be delivered" },
  processing: { collected: "Collected", delivered: "To be delivered" },
  completed: { collected: "Collected", delivered: "Delivered" },
  failed: { collected: "Amount", delivered: "Not delivered" },
};

/** A withdrawal or a top-up, as people read it. */
export function orderView(order: WithdrawRequestResponse | TopupRequestResponse, paint: Paint): string {
  return "source_amount" in order ? withdrawalView(order, paint) : topupView(order, paint);
}

function withdrawalView(withdrawal: WithdrawRequestResponse, paint: Paint): string {
  const { status, currency, source_currency, destination } = withdrawal;
  const words = WITHDRAWN[status];
  return aligned(
    [
      ["Withdrawal", paint.bold(withdrawal.id)],
      ["Status", statusOf(status, paint)],
      [words.taken, amountText(withdrawal.source_amount, source_currency)],
      [words.paid, `${amountText(withdrawal.amount, currency)}, plus a fee of ${amountText(withdrawal.fee, currency)}`],
      ["Rate", `${withdrawal.exchange_rate} ${currency} per ${source_currency}`],
      ["To", `${destination.name}, ${destination.type} ${destination.account}`],
      ["Returned by", withdrawal.return_tx_hash],
      ...common(withdrawal),
    ],
    paint,
  );
}

function topupView(topup: TopupRequestResponse, paint: Paint): string {
  const { status, currency, destination_currency } = topup;
  const words = TOPPED_UP[status];
  return aligned(
    [
      ["Top-up", paint.bold(topup.id)],
      ["Status", statusOf(status, paint)],
      [words.collected, `${amountText(topup.amount, currency)}, including a fee of ${amountText(topup.fee, currency)}`],
      [words.delivered, amountText(topup.destination_amount, destination_currency)],
      ["Rate", `${topup.exchange_rate} ${destination_currency} per ${currency}`],
      ["To", `${topup.wallet_address} on ${topup.chain}`],
      ["Payment", status === "pending" ? topup.payment.instructions : null],
      ["Valid until", status === "pending" ? topup.expires_at : null],
      ...common(topup),
    ],
    paint,
  );
}

function common(order: WithdrawRequestResponse | TopupRequestResponse): [string, string | null][] {
  return [
    ["Your reference", order.external_id],
    ["Member", order.external_user_id],
    ["Callback URL", order.callback_url],
    ["Transaction", order.tx_hash],
    ["Payment provider", order.provider_reference],
    ["Failed because", order.failure_reason],
    ["Cancelled at", order.cancelled_at],
  ];
}

function statusOf(status: Status, paint: Paint): string {
  if (status === "completed") return paint.green(status);
  return status === "failed" ? paint.red(status) : paint.yellow(status);
}
