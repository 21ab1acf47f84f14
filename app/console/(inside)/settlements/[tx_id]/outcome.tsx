import { Printer } from "lucide-react";
import { Button } from "../../../_components/controls/button.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import { OUTCOME } from "./payment-words.ts";
import type { Story } from "./story.ts";

type Translations = WithShared<typeof OUTCOME>;

/** For an executed settlement the outcome comes first: who was paid, where, when and in which block, and the receipt. */
export function Outcome({ story: { settlement, payment, partner }, isOperator }: { story: Story; isOperator: boolean }) {
  const t = useTranslations(OUTCOME);
  if (settlement.status !== "executed") return null;
  return (
    <Section
      title={t.paid}
      aside={
        <Button icon={Printer} onClick={() => window.print()}>
          {t.receipt}
        </Button>
      }
    >
      <KeyValues
        items={[
          isOperator && { key: t.partner, value: <Data>{partner.name}</Data> },
          { key: t.merchant, value: <Data>{settlement.external_merchant_id}</Data> },
          { key: t.wallet, value: <Id value={settlement.wallet_address} what={t.walletNoun} full /> },
          settlement.executed_at != null && { key: t.executed, value: <Time at={settlement.executed_at} form="absolute" /> },
          Boolean(settlement.tx_hash) && {
            key: t.transaction,
            value: (
              <>
                <Id value={settlement.tx_hash ?? ""} what={t.transactionHash} full />
                {payment?.explorer_url && (
                  <a href={payment.explorer_url} target="_blank" rel="noreferrer">
                    {t.viewExplorer}
                  </a>
                )}
              </>
            ),
          },
          payment?.block_number != null && {
            key: t.block,
            value: `${t.format.count(payment.block_number)} · ${confirmed(payment.confirmations, t)}`,
          },
        ]}
      />
    </Section>
  );
}

function confirmed(count: number, t: Translations): string {
  return count === 1 ? t.oneConfirmation : t.confirmations(t.format.count(count));
}
