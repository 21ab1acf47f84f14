import { useState } from "react";
import { usePreferences } from "#app/console/_components/frame/preferences.tsx";
import { leastDecimalsOf } from "../../_format/amount.ts";
import { useTranslations } from "../../_words/words.ts";
import { Tooltip } from "./tooltip.tsx";
import { Money } from "./values.tsx";
import { GLANCE } from "./words.ts";

/**
 * A rounded-down amount with two to four decimals, for measurements that nobody pays. Hover or focus shows the exact one, which stays after
 * a tap.
 */
export function Glance({ amount, currency }: { amount: string; currency: string }) {
  const t = useTranslations(GLANCE);
  const [exact, setExact] = useState(false);
  const hidden = usePreferences().preferences.amounts === "hidden";
  const least = leastDecimalsOf(currency);
  const [short, whole] = [t.format.atAGlance(amount, least), t.format.grouped(amount, least)];
  if (hidden || short === whole) return <Money amount={amount} currency={currency} />;
  return (
    <Tooltip text={`${amount} ${currency}`}>
      <button
        type="button"
        className="money glance"
        aria-pressed={exact}
        aria-label={exact ? t.exact(whole, currency) : t.short(short, currency, whole)}
        title={`${amount} ${currency}`}
        onClick={() => setExact(!exact)}
      >
        <span className="money-digits">{exact ? whole : short}</span> <span className="money-currency">{currency}</span>
      </button>
    </Tooltip>
  );
}
