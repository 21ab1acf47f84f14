import type { ReactNode } from "react";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { grouped } from "../../_format/amount.ts";
import type { WithdrawalStory } from "./story.ts";

type LineProps = { name: string; note?: ReactNode; value: string; unit: string; isTotal?: boolean };

/** Amounts under each other, as one would add them up by hand. */
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
      <td className="sum-unit">{unit}</td>
    </tr>
  );
}

type SumProps = Pick<WithdrawalStory, "amounts" | "price"> & { fiat: string; crypto: string };

/** Crypto is sold for what is paid out and the fee. */
export function WithdrawalSum({ amounts, price, fiat, crypto }: SumProps) {
  return (
    <Sum label="Arithmetic of the withdrawal">
      <SumLine name="Paid out" value={grouped(amounts.amount)} unit={fiat} />
      <SumLine name="Partner's fee" note={`${price.fee_percentage} %, rounded down`} value={`+ ${grouped(amounts.fee)}`} unit={fiat} />
      <SumLine name="To cover" value={grouped(amounts.total)} unit={fiat} isTotal />
      <RateLines price={price} unit={`${fiat} per ${crypto}`} midUnit={`${crypto} per ${fiat}`} />
      <SumLine
        name="Taken from the Safe"
        note={`${grouped(amounts.total)} ÷ ${price.exchange_rate}, rounded up`}
        value={grouped(amounts.crypto)}
        unit={crypto}
        isTotal
      />
    </Sum>
  );
}

/** Crypto is bought for what is collected without the fee. */
export function TopupSum({ amounts, price, fiat, crypto }: SumProps) {
  return (
    <Sum label="Arithmetic of the top-up">
      <SumLine name="Collected" value={grouped(amounts.amount)} unit={fiat} />
      <SumLine name="Partner's fee" note={`${price.fee_percentage} %, rounded down`} value={`− ${grouped(amounts.fee)}`} unit={fiat} />
      <SumLine name="To convert" value={grouped(amounts.total)} unit={fiat} isTotal />
      <RateLines price={price} unit={`${crypto} per ${fiat}`} midUnit={`${crypto} per ${fiat}`} />
      <SumLine
        name="Delivered to the wallet"
        note={`${grouped(amounts.total)} × ${price.exchange_rate}, rounded down`}
        value={grouped(amounts.crypto)}
        unit={crypto}
        isTotal
      />
    </Sum>
  );
}

function RateLines({ price, unit, midUnit }: { price: SumProps["price"]; unit: string; midUnit: string }) {
  return (
    <>
      {price.mid_rate !== null && <SumLine name="Mid rate" note={price.rate_source} value={price.mid_rate} unit={midUnit} />}
      {price.spread_bps !== null && <SumLine name="Spread" value={String(price.spread_bps)} unit="bps" />}
      <SumLine
        name="Exchange rate"
        note={price.spread_bps === null ? "" : "with the spread in it"}
        value={price.exchange_rate}
        unit={unit}
      />
    </>
  );
}
