import { useQuery } from "@tanstack/react-query";
import { Money } from "../../../_components/controls/values.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { NETWORK_COST } from "./words.ts";

/** What the network will take for the payment. It is asked for after the page, and its line is kept, so that nothing below it moves. */
export function NetworkCost({ txId }: { txId: string }) {
  const t = useTranslations(NETWORK_COST);
  const { data: cost, isPending } = useQuery(useTRPC().settlements.networkCost.queryOptions({ tx_id: txId }, { meta: { still: true } }));
  if (isPending) return <p className="muted small">{t.asking}</p>;
  return (
    <p className="muted small">
      {cost ? <Trans sentence={cost.new_holder ? t.toNewHolder : t.about} amount={<Money {...cost} />} /> : t.unknown}
    </p>
  );
}
