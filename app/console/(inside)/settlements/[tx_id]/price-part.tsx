import { useState } from "react";
import { CopyButton } from "../../../_components/controls/copy-button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { Digits, Time } from "../../../_components/controls/values.tsx";
import { Scroll } from "../../../_components/frame/page-parts.tsx";
import { leastDecimalsOf } from "../../../_format/amount.ts";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { PriceChange } from "./price-change.tsx";
import type { Story, StoryQuote } from "./story.ts";
import { PRICE_PART, PRICE_REASONS } from "./words.ts";

/** Only what is not paid yet has it. */
const NetworkCost = lazyComponent(() => import("./network-cost.tsx").then((loaded) => loaded.NetworkCost));

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
              {version === 1 ? t.v1AtCreation : t.atApproval(version)}
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
      {isToBePaid(story) && <NetworkCost txId={story.settlement.tx_id} />}
      <PriceReasons story={story} quote={quote} />
      <PriceChange story={story} />
    </>
  );
}

/** Before the chain has charged for it. */
function isToBePaid({ settlement, payment }: Story): boolean {
  return settlement.status === "quoted" || (settlement.status === "processing" && (payment?.network_fee ?? null) === null);
}

function Sum({ story, quote }: { story: Story; quote: StoryQuote }) {
  const t = useTranslations(PRICE_PART);
  const { settlement, amounts, source_exponent: exponent } = story;
  const { source_currency: from, destination_currency: to } = settlement;
  const source = t.format.grouped(amounts.source, leastDecimalsOf(from));
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
                <Trans sentence={t.minorUnits(exponent)} digits={<Digits>{t.format.count(settlement.source_amount)}</Digits>} />
              )
            }
            value={source}
            unit={from}
            copied={amounts.source}
          />
          <Line
            name={t.gross}
            note={<Trans sentence={t.grossRounding(quote.exchange_rate, story.written_decimals)} digits={<Digits>{source}</Digits>} />}
            value={t.format.grouped(quote.gross_amount)}
            unit={to}
          />
          <Line name={t.platformFee} value={`− ${t.format.grouped(quote.platform_fee)}`} unit={to} />
          <Line
            name={t.netToWallet}
            value={t.format.grouped(quote.destination_amount)}
            unit={to}
            copied={quote.destination_amount}
            isTotal
          />
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
      {age >= 0 && age < OLDEST_MS && t.ageThen(t.format.span(age))}
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

/** Each multiplication written out, before and after its rounding. */
function PriceReasons({ story, quote }: { story: Story; quote: StoryQuote }) {
  const t = useTranslations(PRICE_REASONS);
  const { settlement, amounts, source_exponent: exponent, written_decimals: decimals } = story;
  const { source_currency: from, destination_currency: to, source_amount: minor } = settlement;
  return (
    <details className="price-reasons">
      <summary>{t.title}</summary>
      <ol className="steps">
        {exponent > 0 && <Step t={t.sourceDecimals(from, exponent)} sum={`${minor} ÷ ${10 ** exponent} = ${amounts.source} ${from}`} />}
        {quote.mid_rate !== null && quote.exact_rate !== null && (
          <Step
            t={t.spread(quote.spread_bps)}
            sum={`${quote.mid_rate} × (10000 − ${quote.spread_bps}) ÷ 10000 = ${quote.exact_rate} → ${quote.exchange_rate}`}
          />
        )}
        <Step
          t={t.gross(decimals, to)}
          sum={`${amounts.source} × ${quote.exchange_rate} = ${quote.exact_gross} → ${quote.gross_amount} ${to}`}
        />
        <Step t={t.fee} sum={`${quote.gross_amount} − ${quote.platform_fee} = ${quote.destination_amount} ${to}`} />
      </ol>
    </details>
  );
}

function Step({ t, sum }: { t: string; sum: string }) {
  return (
    <li className="step">
      <p>{t}</p>
      <code className="step-sum">{sum}</code>
    </li>
  );
}
