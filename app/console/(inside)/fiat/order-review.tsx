import type { Answers } from "#server/console/router.ts";
import { Id, KeyValues, Money } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Data } from "../../_words/trans.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Fields } from "./order-form.tsx";
import { ORDER_REVIEW } from "./order-words.ts";
import { TopupSum, WithdrawalSum } from "./review-sum.tsx";

/** A top-up at the current price, before it is created. */
export function TopupReview({ preview, fields }: { preview: Answers["fiat"]["previewTopup"]; fields: Fields }) {
  const t = useTranslations(ORDER_REVIEW);
  return (
    <>
      <TopupSum amounts={preview.amounts} price={preview.price} fiat={fields.currency} crypto={fields.crypto} />
      <KeyValues
        items={[
          { key: t.member, value: <Data>{fields.member.trim()}</Data> },
          { key: t.collectedFrom, value: <Data>{fields.account.trim()}</Data> },
          { key: t.deliveredTo, value: <Id value={preview.wallet_address} what={t.walletNoun} /> },
          { key: t.externalId, value: <Data>{fields.external_id}</Data> },
        ]}
      />
      <Note>{t.topupNote}</Note>
    </>
  );
}

/** As {@link TopupReview}, of a withdrawal. */
export function WithdrawalReview({ preview, fields }: { preview: Answers["fiat"]["previewWithdrawal"]; fields: Fields }) {
  const t = useTranslations(ORDER_REVIEW);
  const { amounts, price, safe_address, safe_balance, covered, pool_available } = preview;
  return (
    <>
      <WithdrawalSum amounts={amounts} price={price} fiat={fields.currency} crypto={fields.crypto} />
      {!covered && <Note kind="danger">{t.notCovered(fields.crypto)}</Note>}
      <KeyValues
        items={[
          { key: t.to, value: <Data>{`${fields.name.trim()}, ${fields.account.trim()}`}</Data> },
          { key: t.outOfSafe, value: <Id value={safe_address} what={t.safeNoun} /> },
          safe_balance !== null && { key: t.safeBalance, value: <Money amount={safe_balance} currency={fields.crypto} /> },
          pool_available !== null && { key: t.poolAvailable, value: <Money amount={pool_available} currency={fields.currency} /> },
          { key: t.externalId, value: <Data>{fields.external_id}</Data> },
        ]}
      />
      <Note>{t.withdrawalNote}</Note>
    </>
  );
}
