import type { AmountChange } from "#domain/price-change.ts";
import { Digits, Time } from "../../_components/controls/values.tsx";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTranslations } from "../../_words/words.ts";
import type { Preview } from "./answers.ts";
import { PRICE_CHANGE } from "./words.ts";

type Translations = typeof PRICE_CHANGE;

/** The quoted price next to the price at which it would be approved. */
export function PriceChange({ preview }: { preview: Preview }) {
  const t = useTranslations(PRICE_CHANGE);
  const { current, proposed, change, settlement } = preview;
  const unit = settlement.destination_currency;
  return (
    <Scroll label={t.quotedPricePrice}>
      <table className="compare">
        <caption className="sr-only">{t.quotedAndApprovalPrice}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t.what}</span>
            </th>
            <th scope="col">{t.quoted}</th>
            <th scope="col">{t.approval}</th>
            <th scope="col" className="compare-change">
              {t.change}
            </th>
          </tr>
        </thead>
        <tbody>
          <Line name={t.rate} before={current.exchange_rate} after={proposed?.exchange_rate} change={change?.rate} plain />
          <Line name={t.gross} before={current.gross_amount} after={proposed?.gross_amount} change={change?.gross} />
          <Line name={t.fee} before={current.platform_fee} after={proposed?.platform_fee} change={change?.fee} minus />
          <Line name={t.net(unit)} before={current.destination_amount} after={proposed?.destination_amount} change={change?.net} isTotal />
          <tr>
            <th scope="row">{t.validUntil}</th>
            <td>
              <Time at={current.expires_at} form="absolute" />
            </td>
            <td>{proposed ? <Time at={proposed.expires_at} form="absolute" /> : "–"}</td>
            <td className="compare-change">{proposed && <Time at={proposed.expires_at} />}</td>
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

type LineProps = {
  name: string;
  before: string;
  after: string | undefined;
  change: AmountChange | undefined;
  /** Taken off. */
  minus?: boolean;
  /** As it is, ungrouped. */
  plain?: boolean;
  isTotal?: boolean;
};

function Line({ name, before, after, change, minus = false, plain = false, isTotal = false }: LineProps) {
  const show = (text: string) => (plain ? text : <Digits>{`${minus ? "− " : ""}${grouped(text)}`}</Digits>);
  return (
    <tr data-total={isTotal || undefined}>
      <th scope="row">{name}</th>
      <td>{show(before)}</td>
      <td>
        {after === undefined ? "–" : show(after)}
        {change && (
          <span className="compare-below">
            <Change change={change} plain={plain} isTotal={isTotal} />
          </span>
        )}
      </td>
      <td className="compare-change">{change && <Change change={change} plain={plain} isTotal={isTotal} />}</td>
    </tr>
  );
}

/** Unchanged values say so in a word; destination amounts always show their figures. */
function Change({ change, plain, isTotal }: { change: AmountChange; plain: boolean; isTotal: boolean }) {
  const t = useTranslations(PRICE_CHANGE);
  if (change.difference === "0" && !isTotal) return t.unchanged;
  return (
    <>
      {plain ? change.difference : <Digits>{grouped(change.difference)}</Digits>}
      <span className="compare-ratio">{ratios(change, t)}</span>
    </>
  );
}

function ratios({ percent, bps }: AmountChange, t: Translations): string {
  return percent === null ? "" : t.bps(percent, bps);
}
