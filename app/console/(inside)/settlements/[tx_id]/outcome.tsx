import { Printer } from "lucide-react";
import { Button } from "../../../_components/controls/button.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { useTranslations, type WithShared } from "../../../_words/words.ts";
import { OUTCOME } from "./payment-words.ts";
import type { Story } from "./story.ts";

type Translations = WithShared<typeof OUTCOME>;

/** For an executed settlement the outcome comes first: the transaction, its block, the time, and the receipt. */
export function Outcome({ story: { settlement, payment } }: { story: Story }) {
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
            value: `${t.format.count(payment.block_number)}, ${confirmed(payment.confirmations, t)}`,
          },
          settlement.executed_at != null && { key: t.executed, value: <Time at={settlement.executed_at} form="absolute" /> },
        ]}
      />
    </Section>
  );
}

function confirmed(count: number, t: Translations): string {
  return count === 1 ? t.oneConfirmation : t.confirmations(t.format.count(count));
}
