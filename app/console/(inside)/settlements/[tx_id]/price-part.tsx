import { useState } from "react";
import { CopyButton } from "../../../_components/controls/copy-button.tsx";
import { Digits, Time } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import { grouped, leastDecimalsOf } from "../../../_format/amount.ts";
import { span } from "../../../_format/time.ts";
import { Trans } from "../../../_words/trans.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { PriceChange } from "./price-change.tsx";
import { PriceReasons } from "./price-reasons.tsx";
import type { Story, StoryQuote } from "./story.ts";
import { PRICE_PART } from "./words.ts";

/** The arithmetic of each version of the price, so that anyone can check it with a calculator. */
export function PricePart({ story }: { story: Story }) {
  const t = useTranslations(PRICE_PART);
  const [chosen, setChosen] = useState<number | null>(null);
  const { quotes } = story;
  const quote = quotes.find(({ version }) => version === chosen) ?? quotes.at(-1);
  if (quote === undefined) return null;
  return (
    <>
      {quotes.length > 1 && (
        <fieldset className="chips tiles">
          <legend className="sr-only">{t.versions}</legend>
          {quotes.map(({ version }) => (
            <button
              key={version}
              type="button"
              className="chip"
              aria-pressed={version === quote.version}
              onClick={() => setChosen(version)}
            >
              {version === 1 ? t.atCreation : t.atApproval(version)}
            </button>
          ))}
        </fieldset>
      )}
      <Sum story={story} quote={quote} />
      <p className="muted small">
        <Trans
          sentence={t.pricedUntil}
          priced={<Time at={quote.priced_at} form="absolute" />}
          until={<Time at={quote.expires_at} form="absolute" />}
        />
      </p>
      <PriceReasons story={story} quote={quote} />
      <PriceChange story={story} />
    </>
  );
}

function Sum({ story, quote }: { story: Story; quote: StoryQuote }) {
  const t = useTranslations(PRICE_PART);
  const { settlement, amounts, source_exponent: exponent } = story;
  const { source_currency: from, destination_currency: to } = settlement;
  const source = grouped(amounts.source, leastDecimalsOf(from));
  return (
    <Scroll label={t.caption}>
      <table className="sum">
        <caption className="sr-only">{t.caption}</caption>
        <tbody>
          {quote.mid_rate !== null && (
            <>
              <Line name={t.midRate} note={<Observed quote={quote} />} value={quote.mid_rate} unit={t.per(to, from)} plain />
              <Line name={t.spread} value={`− ${quote.spread_bps}`} unit="bps" plain />
            </>
          )}
          <Line name={t.exchangeRate} note={t.significantDigits} value={quote.exchange_rate} unit={t.per(to, from)} plain />
          <Line
            name={t.sourceAmount}
            note={
              exponent !== 0 && (
                <Trans sentence={t.minorUnits(exponent)} digits={<Digits>{settlement.source_amount.toLocaleString("en")}</Digits>} />
              )
            }
            value={source}
            unit={from}
            copied={amounts.source}
          />
          <Line
            name={t.gross}
            note={<Trans sentence={t.grossRounding(quote.exchange_rate, story.written_decimals)} digits={<Digits>{source}</Digits>} />}
            value={grouped(quote.gross_amount)}
            unit={to}
          />
          <Line name={t.platformFee} value={`− ${grouped(quote.platform_fee)}`} unit={to} />
          <Line name={t.netToWallet} value={grouped(quote.destination_amount)} unit={to} copied={quote.destination_amount} isTotal />
        </tbody>
      </table>
    </Scroll>
  );
}

const OLDEST_MS = 3_600_000;

/** Rates are observed in real time, so they have no age under a sandbox clock that was moved. */
function Observed({ quote }: { quote: StoryQuote }) {
  const t = useTranslations(PRICE_PART);
  const age = new Date(quote.priced_at).getTime() - new Date(quote.rate_as_of).getTime();
  return (
    <>
      <Trans sentence={t.observed(quote.rate_source)} time={<Time at={quote.rate_as_of} form="absolute" />} />
      {age >= 0 && age < OLDEST_MS && t.ageThen(span(age))}
    </>
  );
}

type LineProps = {
  name: string;
  note?: React.ReactNode;
  value: string;
  unit: string;
  /** The amount in its machine format, for copying. */
  copied?: string;
  plain?: boolean;
  isTotal?: boolean;
};

function Line({ name, note, value, unit, copied, plain = false, isTotal = false }: LineProps) {
  const t = useTranslations(PRICE_PART);
  return (
    <tr data-total={isTotal || undefined} data-plain={plain || undefined}>
      <th scope="row">
        {name}
        {note && <span className="sum-note">{note}</span>}
      </th>
      <td>{plain ? value : <Digits>{value}</Digits>}</td>
      <td className="sum-unit">
        {unit}
        {copied && <CopyButton text={copied} label={t.copy(name.toLowerCase())} />}
      </td>
    </tr>
  );
}
