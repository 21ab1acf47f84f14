import type { AmountChange } from "#domain/price-change.ts";
import { Digits, Money, Time } from "../../_components/controls/values.tsx";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import type { Preview } from "./answers.ts";
import { PRICE_CHANGE } from "./words.ts";

/** The price of an approval: one line while it is the quoted one, and a table once it has moved. */
export function Price({ preview, lapsed }: { preview: Preview; lapsed: boolean }) {
  const t = useTranslations(PRICE_CHANGE);
  const { proposed, change, settlement } = preview;
  const isSame = change !== null && [change.rate, change.gross, change.fee, change.net].every(({ difference }) => difference === "0");
  if (proposed === null || !isSame) {
    return (
      <>
        {lapsed && <p className="small muted">{t.quoteLapsed}</p>}
        <PriceChange preview={preview} />
      </>
    );
  }
  return (
    <p className="same-price">
      <strong>{t.samePrice}</strong>{" "}
      <span>
        <Digits>{t.format.grouped(proposed.gross_amount)}</Digits> − <Digits>{t.format.grouped(proposed.platform_fee)}</Digits> {t.ofFee} ={" "}
        <Money amount={proposed.destination_amount} currency={settlement.destination_currency} />{" "}
        <Trans sentence={t.atRate} rate={<span translate="no">{proposed.exchange_rate}</span>} />
      </span>
      <span className="muted">
        <Trans sentence={lapsed ? t.lapsedAndRenewed : t.validOnceApproved} time={<Time at={proposed.expires_at} form="absolute" />} />
      </span>
    </p>
  );
}

/** The quoted price next to the price at which it would be approved. */
function PriceChange({ preview }: { preview: Preview }) {
  const t = useTranslations(PRICE_CHANGE);
  const { current, proposed, change, settlement } = preview;
  const unit = settlement.destination_currency;
  return (
    <Scroll label={t.title}>
      <table className="compare">
        <caption className="sr-only">{t.caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t.what}</span>
            </th>
            <th scope="col">{t.quoted}</th>
            <th scope="col">{t.onApproval}</th>
            <th scope="col" className="compare-change">
              {t.differenceHeading}
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
  const t = useTranslations(PRICE_CHANGE);
  const show = (text: string) => (plain ? text : <Digits>{`${minus ? "− " : ""}${t.format.grouped(text)}`}</Digits>);
  return (
    <tr data-total={isTotal || undefined}>
      <th scope="row">{name}</th>
      <td>{show(before)}</td>
      <td>
        {after === undefined ? "–" : show(after)}
        {change && (
          <span className="compare-below">
            <Change change={change} plain={plain} />
          </span>
        )}
      </td>
      <td className="compare-change">{change && <Change change={change} plain={plain} />}</td>
    </tr>
  );
}

/** The rate's change in basis points, as the tolerance is; an amount's in per cent. Unchanged values say so in a word. */
function Change({ change, plain }: { change: AmountChange; plain: boolean }) {
  const t = useTranslations(PRICE_CHANGE);
  const { difference, percent, bps } = change;
  if (difference === "0") return t.unchanged;
  const ratio = plain ? bps && t.bps(bps.replace(/\.00$/, "")) : percent && t.percent(percent);
  return (
    <>
      {plain ? difference : <Digits>{t.format.grouped(difference)}</Digits>}
      {ratio && <span className="compare-ratio">{ratio}</span>}
    </>
  );
}
