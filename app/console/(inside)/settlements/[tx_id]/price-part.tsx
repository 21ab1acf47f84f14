"use client";

import { useState } from "react";
import { Scroll } from "../../../_components/page-header.tsx";
import { Time } from "../../../_components/time.tsx";
import { grouped } from "../../../_format/amount.ts";
import type { Story } from "./story.ts";

/** The arithmetic of a price, so that it can be checked with a pocket calculator: each version of it. */
export function PricePart({ story }: { story: Story }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { quotes, settlement, amounts } = story;
  const quote = quotes.find(({ version }) => version === chosen) ?? quotes.at(-1);
  if (quote === undefined) return null;
  const { source_currency: from, destination_currency: to } = settlement;
  return (
    <>
      {quotes.length > 1 && (
        <fieldset className="chips tiles">
          <legend className="sr-only">Versions of the quote</legend>
          {quotes.map(({ version }) => (
            <button
              key={version}
              type="button"
              className="chip"
              aria-pressed={version === quote.version}
              onClick={() => setChosen(version)}
            >
              {version === 1 ? "v1 at creation" : `v${version} at approval`}
            </button>
          ))}
        </fieldset>
      )}
      <Scroll label="Arithmetic of the price">
        <table className="sum">
          <caption className="sr-only">Arithmetic of the price</caption>
          <tbody>
            {quote.mid_rate !== null && (
              <>
                <Line name="Mid rate" note={quote.rate_source ?? ""} value={quote.mid_rate} unit={`${to} per ${from}`} plain />
                <Line name="Spread" value={`− ${quote.spread_bps}`} unit="bps" plain />
              </>
            )}
            <Line
              name="Exchange rate"
              note="at most 12 significant digits, rounded down"
              value={quote.exchange_rate}
              unit={`${to} per ${from}`}
              plain
            />
            <Line name="Source amount" value={grouped(amounts.source)} unit={from} />
            <Line
              name="Gross"
              note={`${grouped(amounts.source)} × ${quote.exchange_rate}, rounded down`}
              value={grouped(quote.gross_amount)}
              unit={to}
            />
            <Line name="Platform fee" value={`− ${grouped(quote.platform_fee)}`} unit={to} />
            <Line name="Net to the wallet" value={grouped(quote.destination_amount)} unit={to} isTotal />
          </tbody>
        </table>
      </Scroll>
      <p className="muted small">
        Priced <Time at={quote.priced_at} form="absolute" />, valid until <Time at={quote.expires_at} form="absolute" />.
      </p>
    </>
  );
}

type LineProps = { name: string; note?: string; value: string; unit: string; plain?: boolean; isTotal?: boolean };

function Line({ name, note, value, unit, plain = false, isTotal = false }: LineProps) {
  return (
    <tr data-total={isTotal || undefined} data-plain={plain || undefined}>
      <th scope="row">
        {name}
        {note && <span className="sum-note">{note}</span>}
      </th>
      <td>{value}</td>
      <td className="sum-unit">{unit}</td>
    </tr>
  );
}
