import type { ReactNode } from "react";
import { Money } from "../../_components/controls/values.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import type { PastAnswer } from "./answers.ts";
import { PAST } from "./words.ts";

type Strip = PastAnswer["merchant"];

/** The amounts before this one as dots from zero on, of the merchant and of the wallet, on one scale. This one is the mark. */
export function Past({ past }: { past: PastAnswer | undefined }) {
  const t = useTranslations(PAST);
  // Its place is kept while it is read, so that nothing below it moves.
  if (past === undefined) return <div className="past" aria-hidden />;
  const { merchant, wallet, currency, end } = past;
  const hasAny = merchant.count > 0 || wallet.count > 0;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <section className="past" aria-label={t.label}>
      {hasAny && (
        <p className="past-title small" aria-hidden>
          <span>{t.title(currency)}</span>
          <span className="past-legend muted">
            <i data-sign="dot" /> {t.earlier} <i data-sign="mark" /> {t.thisOne}
          </span>
        </p>
      )}
      <PastStrip
        name={t.lastOfMerchant(merchant.count)}
        strip={merchant}
        here={past.here}
        none={t.noneOfMerchant}
        said={t.ofMerchant}
        money={money}
      />
      <PastStrip
        name={t.lastToWallet(wallet.count)}
        strip={wallet}
        here={past.here}
        none={t.noneOfWallet}
        said={t.ofWallet}
        money={money}
      />
      {hasAny && (
        <p className="past-scale small muted" aria-hidden>
          <span>0</span>
          {money(end)}
        </p>
      )}
    </section>
  );
}

const HEIGHT = 30;
const RADIUS = 3;

type StripProps = {
  name: string;
  strip: Strip;
  here: number;
  none: string;
  said: (count: number, below: number) => string;
  money: (amount: string) => ReactNode;
};

function PastStrip({ name, strip, here, none, said, money }: StripProps) {
  const t = useTranslations(PAST);
  const [least, most] = strip.range ?? [];
  if (least === undefined || most === undefined) {
    return (
      <div className="past-strip">
        <span className="muted small">{name}</span>
        <span className="muted small">{none}</span>
      </div>
    );
  }
  const highest = Math.max(0, ...strip.dots.map(({ row }) => row));
  const step = Math.min(2 * RADIUS + 1, (HEIGHT - 2 * RADIUS - 4) / Math.max(1, highest));
  return (
    <div className="past-strip">
      <span className="muted small">{name}</span>
      <svg className="past-dots" height={HEIGHT} aria-hidden>
        <line x1="0" x2="100%" y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {strip.dots.map(({ at, row }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dots have no identity but their place
          <circle key={place} cx={`${at / 10}%`} cy={HEIGHT - 2 - RADIUS - row * step} r={RADIUS} />
        ))}
        <rect x={`${here / 10}%`} y={2} width={3} height={HEIGHT - 3} rx={1.5} transform="translate(-1.5)" />
      </svg>
      <span className="small" aria-hidden>
        {t.rank(strip.below, strip.count)}
      </span>
      <span className="sr-only">
        <Trans sentence={said(strip.count, strip.below)} least={money(least)} most={money(most)} />
      </span>
    </div>
  );
}
