import { useTranslations } from "../../../_words/words.ts";
import type { Story, StoryQuote } from "./story.ts";
import { PRICE_REASONS } from "./words.ts";

/** Each multiplication written out, before and after its rounding. */
export function PriceReasons({ story, quote }: { story: Story; quote: StoryQuote }) {
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
