import { Digits, Time } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import { grouped } from "../../../_format/amount.ts";
import { useTranslations } from "../../../_words/words.ts";
import type { Story } from "./story.ts";
import { PRICE_CHANGE } from "./words.ts";

/** What the approval changed, line by line. */
export function PriceChange({ story: { quotes, quote_change: change, settlement } }: { story: Story }) {
  const t = useTranslations(PRICE_CHANGE);
  const [first, last] = [quotes[0], quotes.at(-1)];
  if (change === null || first === undefined || last === undefined) return null;
  const lines = [
    { name: t.rate, before: first.exchange_rate, after: last.exchange_rate, by: change.rate },
    {
      name: t.gross,
      before: <Digits>{grouped(first.gross_amount)}</Digits>,
      after: <Digits>{grouped(last.gross_amount)}</Digits>,
      by: change.gross,
    },
    {
      name: t.fee,
      before: <Digits>{grouped(first.platform_fee)}</Digits>,
      after: <Digits>{grouped(last.platform_fee)}</Digits>,
      by: change.fee,
    },
    {
      name: t.net,
      before: <Digits>{grouped(first.destination_amount)}</Digits>,
      after: <Digits>{grouped(last.destination_amount)}</Digits>,
      by: change.net,
    },
  ];
  return (
    <details className="price-reasons">
      <summary>{t.whatApprovalChanged}</summary>
      <Scroll label={t.priceBeforeAfter}>
        <table className="compare">
          <caption className="sr-only">{t.priceBeforeAfterCaption(settlement.destination_currency)}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">{t.what}</span>
              </th>
              <th scope="col">{t.v1Creation}</th>
              <th scope="col">{t.v2Approval}</th>
              <th scope="col">{t.change}</th>
              <th scope="col">{t.bps}</th>
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
              <th scope="row">{t.validUntil}</th>
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
