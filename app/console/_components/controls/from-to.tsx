import { useTranslations } from "../../_words/words.ts";
import { Money } from "./values.tsx";
import { FROM_TO } from "./words.ts";

type Sum = { amount: string; currency: string };
/** The incoming and outgoing amounts, as a page's heading. */
export function FromTo({ from, to }: { from: Sum; to: Sum }) {
  const t = useTranslations(FROM_TO);
  return (
    <span className="amounts">
      <Money {...from} size="large" />
      <span className="arrow" aria-hidden>
        →
      </span>
      <span className="sr-only">{t.to}</span>
      <Money {...to} size="large" />
    </span>
  );
}
