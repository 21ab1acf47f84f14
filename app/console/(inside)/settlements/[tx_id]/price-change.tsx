import { Digits, Time } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import { grouped } from "../../../_format/amount.ts";
import type { Story } from "./story.ts";

/** What the approval changed, line by line. */
export function PriceChange({ story: { quotes, quote_change: change, settlement } }: { story: Story }) {
  const [first, last] = [quotes[0], quotes.at(-1)];
  if (change === null || first === undefined || last === undefined) return null;
  const lines = [
    { name: "Rate", before: first.exchange_rate, after: last.exchange_rate, by: change.rate },
    {
      name: "Gross",
      before: <Digits>{grouped(first.gross_amount)}</Digits>,
      after: <Digits>{grouped(last.gross_amount)}</Digits>,
      by: change.gross,
    },
    {
      name: "Fee",
      before: <Digits>{grouped(first.platform_fee)}</Digits>,
      after: <Digits>{grouped(last.platform_fee)}</Digits>,
      by: change.fee,
    },
    {
      name: "Net",
      before: <Digits>{grouped(first.destination_amount)}</Digits>,
      after: <Digits>{grouped(last.destination_amount)}</Digits>,
      by: change.net,
    },
  ];
  return (
    <details className="price-reasons">
      <summary>What the approval changed</summary>
      <Scroll label="Price before and after approval">
        <table className="compare">
          <caption className="sr-only">Price before and after approval, amounts in {settlement.destination_currency}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">What</span>
              </th>
              <th scope="col">v1 at creation</th>
              <th scope="col">v2 at approval</th>
              <th scope="col">Change</th>
              <th scope="col">bps</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, before, after, by }) => (
              <tr key={name} data-total={name === "Net" || undefined}>
                <th scope="row">{name}</th>
                <td>{before}</td>
                <td>{after}</td>
                <td className="difference">{name === "Rate" ? by.difference : <Digits>{by.difference}</Digits>}</td>
                <td>{by.bps ?? "–"}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">Valid until</th>
              <td>
                <Time at={first.expires_at} form="absolute" />
              </td>
              <td>
                <Time at={last.expires_at} form="absolute" />
              </td>
              <td />
              <td />
            </tr>
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}
