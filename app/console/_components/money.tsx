import { grouped } from "../_format/amount.ts";

type MoneyProps = { amount: string; currency: string; size?: "regular" | "large"; signed?: boolean };

/** An exact amount with its currency; the digits are those of the API, grouped. */
export function Money({ amount, currency, size = "regular" }: MoneyProps) {
  return (
    <span className="money" data-size={size} title={`${amount} ${currency}`}>
      <span className="money-digits">{grouped(amount)}</span> <span className="money-currency">{currency}</span>
    </span>
  );
}
