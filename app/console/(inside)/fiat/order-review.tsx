import type { Answers } from "#server/console/router.ts";
import { Id, KeyValues, Money } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import type { Fields } from "./order-form.tsx";
import { TopupSum, WithdrawalSum } from "./review-sum.tsx";

/** What a top-up would be at the price of this moment, before it is asked for. */
export function TopupReview({ preview, fields }: { preview: Answers["fiat"]["previewTopup"]; fields: Fields }) {
  return (
    <>
      <TopupSum amounts={preview.amounts} price={preview.price} fiat={fields.currency} crypto={fields.crypto} />
      <KeyValues
        items={[
          { key: "Member", value: fields.member.trim() },
          { key: "Collected from", value: fields.account.trim() },
          { key: "Delivered to", value: <Id value={preview.wallet_address} what="wallet" /> },
          { key: "External id", value: fields.external_id },
        ]}
      />
      <Note>The price is fixed when you collect, and stays that however late the payer is.</Note>
    </>
  );
}

/** As {@link TopupReview}, of a withdrawal. */
export function WithdrawalReview({ preview, fields }: { preview: Answers["fiat"]["previewWithdrawal"]; fields: Fields }) {
  const { amounts, price, safe_address, safe_balance, covered, pool_available } = preview;
  return (
    <>
      <WithdrawalSum amounts={amounts} price={price} fiat={fields.currency} crypto={fields.crypto} />
      {!covered && <Note kind="danger">The Safe does not hold enough {fields.crypto} for this withdrawal.</Note>}
      <KeyValues
        items={[
          { key: "To", value: `${fields.name.trim()}, ${fields.account.trim()}` },
          { key: "Out of the Safe", value: <Id value={safe_address} what="Safe" /> },
          safe_balance !== null && { key: "It holds", value: <Money amount={safe_balance} currency={fields.crypto} /> },
          pool_available !== null && { key: "Pool available", value: <Money amount={pool_available} currency={fields.currency} /> },
          { key: "External id", value: fields.external_id },
        ]}
      />
      <Note>The price is fixed when you withdraw; it may differ from this one if the rate moves meanwhile.</Note>
    </>
  );
}
