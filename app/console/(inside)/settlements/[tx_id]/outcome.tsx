import { Printer } from "lucide-react";
import { Button } from "../../../_components/controls/button.tsx";
import { Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import type { Story } from "./story.ts";

/** Once it is executed, what people come for stands first: the transaction, its block, when, and the receipt. */
export function Outcome({ story: { settlement, payment } }: { story: Story }) {
  if (settlement.status !== "executed") return null;
  return (
    <Section
      title="Paid"
      aside={
        <Button icon={Printer} onClick={() => window.print()}>
          Receipt
        </Button>
      }
    >
      <KeyValues
        items={[
          Boolean(settlement.tx_hash) && {
            key: "Transaction",
            value: (
              <>
                <Id value={settlement.tx_hash ?? ""} what="transaction hash" full />
                {payment?.explorer_url && (
                  <a href={payment.explorer_url} target="_blank" rel="noreferrer">
                    View in the explorer
                  </a>
                )}
              </>
            ),
          },
          payment?.block_number != null && {
            key: "Block",
            value: `${payment.block_number.toLocaleString("en")}, ${confirmed(payment.confirmations)}`,
          },
          settlement.executed_at != null && { key: "Executed", value: <Time at={settlement.executed_at} form="absolute" /> },
        ]}
      />
    </Section>
  );
}

function confirmed(count: number): string {
  return count === 1 ? "1 confirmation" : `${count.toLocaleString("en")} confirmations`;
}
