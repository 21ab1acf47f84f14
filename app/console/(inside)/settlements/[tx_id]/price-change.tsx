import { Digits, Time } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import type { Format } from "../../../_words/formats.ts";
import { Trans, useTranslations } from "../../../_words/words.ts";
import type { Story, StoryQuote } from "./story.ts";
import { PRICE_CHANGE } from "./words.ts";

/** What the approval changed, line by line; one sentence if it is only the time limit. */
export function PriceChange({ story: { quotes, quote_change: change, settlement } }: { story: Story }) {
  const t = useTranslations(PRICE_CHANGE);
  const [first, last] = [quotes[0], quotes.at(-1)];
  if (change === null || first === undefined || last === undefined) return null;
  if (Object.values(change).every(({ difference }) => difference === "0")) return <SamePrice first={first} last={last} />;
  const lines = [
    { name: t.rate, of: "exchange_rate", by: change.rate, show: (rate: string) => rate },
    { name: t.gross, of: "gross_amount", by: change.gross, show: (text: string) => amount(text, t.format) },
    { name: t.fee, of: "platform_fee", by: change.fee, show: (text: string) => amount(text, t.format) },
    { name: t.net, of: "destination_amount", by: change.net, show: (text: string) => amount(text, t.format), isTotal: true },
  ] as const;
  return (
    <details className="price-reasons">
      <summary>{t.title}</summary>
      <Scroll label={t.label}>
        <table className="compare">
          <caption className="sr-only">{t.caption(settlement.destination_currency)}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">{t.what}</span>
              </th>
              <th scope="col">{t.v1AtCreation}</th>
              <th scope="col">{t.atApproval}</th>
              <th scope="col">{t.differenceHeading}</th>
              <th scope="col">{t.bps}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, of, by, show, ...line }) => (
              <tr key={of} data-total={"isTotal" in line || undefined}>
                <th scope="row">{name}</th>
                <td>{show(first[of])}</td>
                <td>{show(last[of])}</td>
                <td className="difference">{show(by.difference)}</td>
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

function amount(text: string, { grouped }: Format) {
  return <Digits>{grouped(text)}</Digits>;
}

function SamePrice({ first, last }: { first: StoryQuote; last: StoryQuote }) {
  const t = useTranslations(PRICE_CHANGE);
  return (
    <p className="small">
      <Trans
        sentence={t.samePrice}
        until={<Time at={last.expires_at} form="absolute" />}
        before={<Time at={first.expires_at} form="absolute" />}
      />
    </p>
  );
}
