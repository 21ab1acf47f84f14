import { Digits, Time } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import { grouped } from "../../../_format/amount.ts";
import { useWords } from "../../../_words/words.ts";
import type { Story } from "./story.ts";
import { PRICE_CHANGE } from "./words.ts";

/** What the approval changed, line by line. */
export function PriceChange({ story: { quotes, quote_change: change, settlement } }: { story: Story }) {
  const says = useWords(PRICE_CHANGE);
  const [first, last] = [quotes[0], quotes.at(-1)];
  if (change === null || first === undefined || last === undefined) return null;
  const lines = [
    { name: says.rate, before: first.exchange_rate, after: last.exchange_rate, by: change.rate },
    {
      name: says.gross,
      before: <Digits>{grouped(first.gross_amount)}</Digits>,
      after: <Digits>{grouped(last.gross_amount)}</Digits>,
      by: change.gross,
    },
    {
      name: says.fee,
      before: <Digits>{grouped(first.platform_fee)}</Digits>,
      after: <Digits>{grouped(last.platform_fee)}</Digits>,
      by: change.fee,
    },
    {
      name: says.net,
      before: <Digits>{grouped(first.destination_amount)}</Digits>,
      after: <Digits>{grouped(last.destination_amount)}</Digits>,
      by: change.net,
    },
  ];
  return (
    <details className="price-reasons">
      <summary>{says.whatApprovalChanged}</summary>
      <Scroll label={says.priceBeforeAfter}>
        <table className="compare">
          <caption className="sr-only">{says.priceBeforeAfter2(settlement.destination_currency)}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">{says.what}</span>
              </th>
              <th scope="col">{says.v1Creation}</th>
              <th scope="col">{says.v2Approval}</th>
              <th scope="col">{says.change}</th>
              <th scope="col">{says.bps}</th>
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
              <th scope="row">{says.validUntil}</th>
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
