import type { Story, StoryQuote } from "./story.ts";

/** Each multiplication written out, before and after its rounding. */
export function PriceReasons({ story, quote }: { story: Story; quote: StoryQuote }) {
  const { settlement, amounts, source_exponent: exponent, written_decimals: decimals } = story;
  const { source_currency: from, destination_currency: to, source_amount: minor } = settlement;
  return (
    <details className="price-reasons">
      <summary>Why this price</summary>
      <ol className="steps">
        {exponent > 0 && (
          <Step says={`${from} has ${exponent} decimals.`} sum={`${minor} ÷ ${10 ** exponent} = ${amounts.source} ${from}`} />
        )}
        {quote.mid_rate !== null && quote.exact_rate !== null && (
          <Step
            says={`The spread of ${quote.spread_bps} basis points is taken off the mid rate; 12 significant digits are kept, rounded down.`}
            sum={`${quote.mid_rate} × (10000 − ${quote.spread_bps}) ÷ 10000 = ${quote.exact_rate} → ${quote.exchange_rate}`}
          />
        )}
        <Step
          says={`The source amount at the exchange rate, rounded down to ${decimals} decimals of ${to}.`}
          sum={`${amounts.source} × ${quote.exchange_rate} = ${quote.exact_gross} → ${quote.gross_amount} ${to}`}
        />
        <Step
          says="The platform fee is fixed. Nothing is rounded here."
          sum={`${quote.gross_amount} − ${quote.platform_fee} = ${quote.destination_amount} ${to}`}
        />
      </ol>
    </details>
  );
}

function Step({ says, sum }: { says: string; sum: string }) {
  return (
    <li className="step">
      <p>{says}</p>
      <code className="step-sum">{sum}</code>
    </li>
  );
}
