import { Printer } from "lucide-react";
import { Button } from "../../../_components/controls/button.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { useWords } from "../../../_words/words.ts";
import { OUTCOME } from "./payment-words.ts";
import type { Story } from "./story.ts";

type Says = typeof OUTCOME;

/** Once it is executed, what people come for stands first: the transaction, its block, when, and the receipt. */
export function Outcome({ story: { settlement, payment } }: { story: Story }) {
  const says = useWords(OUTCOME);
  if (settlement.status !== "executed") return null;
  return (
    <Section
      title={says.paid}
      aside={
        <Button icon={Printer} onClick={() => window.print()}>
          {says.receipt}
        </Button>
      }
    >
      <KeyValues
        items={[
          Boolean(settlement.tx_hash) && {
            key: says.transaction,
            value: (
              <>
                <Id value={settlement.tx_hash ?? ""} what={says.transactionHash} full />
                {payment?.explorer_url && (
                  <a href={payment.explorer_url} target="_blank" rel="noreferrer">
                    {says.viewExplorer}
                  </a>
                )}
              </>
            ),
          },
          payment?.block_number != null && {
            key: says.block,
            value: `${payment.block_number.toLocaleString("en")}, ${confirmed(payment.confirmations, says)}`,
          },
          settlement.executed_at != null && { key: says.executed, value: <Time at={settlement.executed_at} form="absolute" /> },
        ]}
      />
    </Section>
  );
}

function confirmed(count: number, says: Says): string {
  return count === 1 ? says.so1Confirmation : says.confirmations(count.toLocaleString("en"));
}
