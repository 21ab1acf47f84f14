import { Money } from "../../_components/controls/values.tsx";
import type { WaitingBatch } from "./answers.ts";

/** One line for each pair: the sum as sent, and what it comes to at the present price. */
export function Totals({ of }: { of: WaitingBatch }) {
  return (
    <span className="batch-totals">
      {of.totals.map((total) => (
        <span key={`${total.source_currency} ${total.destination_currency}`}>
          <Money amount={total.source_amount} currency={total.source_currency} /> →{" "}
          <Money amount={total.proposed_amount ?? total.destination_amount} currency={total.destination_currency} />
        </span>
      ))}
    </span>
  );
}
