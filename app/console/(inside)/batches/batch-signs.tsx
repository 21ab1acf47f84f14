import { Ban, Check, Clock, Hourglass, Loader, type LucideIcon, ShieldX } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Badge, Money } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { BATCH_STATES } from "./words.ts";

export type Batch = Answers["batches"]["list"]["data"][number];
/** With what keeps the user from confirming it. */
export type ShownBatch = Answers["batches"]["byIds"]["data"][number];

const SIGNS: Record<keyof typeof BATCH_STATES, { icon: LucideIcon; tone: string }> = {
  quoted: { icon: Clock, tone: "quoted" },
  pending: { icon: Hourglass, tone: "pending" },
  rejected: { icon: ShieldX, tone: "rejected" },
  processing: { icon: Loader, tone: "processing" },
  completed: { icon: Check, tone: "executed" },
  cancelled: { icon: Ban, tone: "cancelled" },
};

/** The status of a batch, and what it awaits. */
export function BatchBadge({ of: { status, approval_state } }: { of: Pick<Batch, "status" | "approval_state"> }) {
  const t = useTranslations(BATCH_STATES);
  const state = status === "quoted" && approval_state === "pending" ? "pending" : approval_state === "rejected" ? "rejected" : status;
  return <Badge word={t[state]} {...SIGNS[state]} />;
}

/** One line for each pair: what is paid in, and what the recipients get. */
export function BatchTotals({ of }: { of: Batch["totals"] }) {
  return (
    <span className="batch-totals">
      {of.map((total) => (
        <span key={`${total.source_currency} ${total.destination_currency}`}>
          <Money amount={total.source_amount} currency={total.source_currency} /> →{" "}
          <Money amount={total.destination_amount} currency={total.destination_currency} />
        </span>
      ))}
    </span>
  );
}
