"use client";

import type { Answers } from "#server/console/router.ts";
import { Id } from "../../_components/controls/id.tsx";
import { KeyValues } from "../../_components/controls/key-values.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { WithdrawalSum } from "./review-sum.tsx";

type Preview = Answers["fiat"]["previewWithdrawal"];
type Said = { currency: string; crypto: string; name: string; account: string; external_id: string };

/** What a withdrawal would be at the price of this moment, before it is asked for. */
export function WithdrawalReview({ preview, fields }: { preview: Preview; fields: Said }) {
  const { amounts, price, safe_address, safe_balance, covered, pool_available } = preview;
  return (
    <>
      <WithdrawalSum amounts={amounts} price={price} fiat={fields.currency} crypto={fields.crypto} />
      {!covered && (
        <p className="note" data-kind="danger">
          The Safe does not hold enough {fields.crypto} for this withdrawal.
        </p>
      )}
      <KeyValues
        items={[
          { key: "To", value: `${fields.name.trim()}, ${fields.account.trim()}` },
          { key: "Out of the Safe", value: <Id value={safe_address} what="Safe" /> },
          safe_balance !== null && { key: "It holds", value: <Money amount={safe_balance} currency={fields.crypto} /> },
          pool_available !== null && { key: "Pool available", value: <Money amount={pool_available} currency={fields.currency} /> },
          { key: "External id", value: fields.external_id },
        ]}
      />
      <p className="note">The price is fixed when you withdraw; it may differ from this one if the rate moves meanwhile.</p>
    </>
  );
}
