"use client";

import { usePreferences } from "#app/console/_components/frame/preferences.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";

type MoneyProps = { amount: string; currency: string; size?: "regular" | "large"; signed?: boolean };

/** An exact amount with its currency; the digits are those of the API, grouped. Who is watched may hide them all. */
export function Money({ amount, currency, size = "regular" }: MoneyProps) {
  const hidden = usePreferences().preferences.amounts === "hidden";
  return (
    <span className="money" data-size={size} title={hidden ? "Amounts are hidden" : `${amount} ${currency}`}>
      <span className="money-digits">{hidden ? <Hidden /> : grouped(amount, leastDecimalsOf(currency))}</span>{" "}
      <span className="money-currency">{currency}</span>
    </span>
  );
}

/** What is written with the digits of an amount, where its currency stands elsewhere; hidden like all amounts. */
export function Digits({ children }: { children: string }) {
  return usePreferences().preferences.amounts === "hidden" ? <Hidden /> : children;
}

function Hidden() {
  return (
    <>
      <span aria-hidden>••••</span>
      <span className="sr-only">Hidden amount</span>
    </>
  );
}
