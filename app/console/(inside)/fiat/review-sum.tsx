import type { ReactNode } from "react";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { REVIEW_SUM } from "./order-words.ts";
import type { WithdrawalStory } from "./story.ts";

type LineProps = { name: string; note?: ReactNode; value: string; unit: string; isTotal?: boolean };

/** Amounts in a column, as in a written addition. */
function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Scroll label={label}>
      <table className="sum">
        <caption className="sr-only">{label}</caption>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}

function SumLine({ name, note, value, unit, isTotal = false }: LineProps) {
  return (
    <tr data-total={isTotal || undefined}>
      <th scope="row">
        {name}
        {note && <span className="sum-note">{note}</span>}
      </th>
      <td>{value}</td>
      <td className="sum-unit" translate="no">
        {unit}
      </td>
    </tr>
  );
}

type SumProps = Pick<WithdrawalStory, "amounts" | "price"> & { fiat: string; crypto: string };

/** The crypto sold covers the payout and the fee. */
export function WithdrawalSum({ amounts, price, fiat, crypto }: SumProps) {
  const t = useTranslations(REVIEW_SUM);
  return (
    <Sum label={t.withdrawal}>
      <SumLine name={t.toPayee} value={t.format.grouped(amounts.amount)} unit={fiat} />
      <SumLine name={t.partnersFee} note={t.feeNote(price.fee_percentage)} value={`+ ${t.format.grouped(amounts.fee)}`} unit={fiat} />
      <SumLine name={t.toCover} value={t.format.grouped(amounts.total)} unit={fiat} isTotal />
      <RateLines price={price} unit={t.per(fiat, crypto)} midUnit={t.per(crypto, fiat)} />
      <SumLine
        name={t.outOfSafe}
        note={t.withdrawalNote(t.format.grouped(amounts.total), price.exchange_rate)}
        value={t.format.grouped(amounts.crypto)}
        unit={crypto}
        isTotal
      />
    </Sum>
  );
}

/** The crypto bought is for the collected amount minus the fee. */
export function TopupSum({ amounts, price, fiat, crypto }: SumProps) {
  const t = useTranslations(REVIEW_SUM);
  return (
    <Sum label={t.topup}>
      <SumLine name={t.fromPayer} value={t.format.grouped(amounts.amount)} unit={fiat} />
      <SumLine name={t.partnersFee} note={t.feeNote(price.fee_percentage)} value={`− ${t.format.grouped(amounts.fee)}`} unit={fiat} />
      <SumLine name={t.toConvert} value={t.format.grouped(amounts.total)} unit={fiat} isTotal />
      <RateLines price={price} unit={t.per(crypto, fiat)} midUnit={t.per(crypto, fiat)} />
      <SumLine
        name={t.toWallet}
        note={t.topupNote(t.format.grouped(amounts.total), price.exchange_rate)}
        value={t.format.grouped(amounts.crypto)}
        unit={crypto}
        isTotal
      />
    </Sum>
  );
}

function RateLines({ price, unit, midUnit }: { price: SumProps["price"]; unit: string; midUnit: string }) {
  const t = useTranslations(REVIEW_SUM);
  return (
    <>
      {price.mid_rate !== null && (
        <SumLine name={t.midRate} note={<Data>{price.rate_source}</Data>} value={price.mid_rate} unit={midUnit} />
      )}
      {price.spread_bps !== null && <SumLine name={t.spread} value={String(price.spread_bps)} unit={t.bps} />}
      <SumLine name={t.exchangeRate} note={price.spread_bps === null ? "" : t.withSpread} value={price.exchange_rate} unit={unit} />
    </>
  );
}
