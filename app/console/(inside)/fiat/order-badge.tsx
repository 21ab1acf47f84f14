import { Check, CircleHelp, Hourglass, Loader, type LucideIcon, Undo2, X } from "lucide-react";
import type { TopupStep } from "#domain/topup.ts";
import type { WithdrawalStep } from "#domain/withdrawal.ts";
import { Badge } from "../../_components/controls/values.tsx";

type Sign = { word: string; icon: LucideIcon; tone: string };

const WITHDRAWALS: Record<WithdrawalStep, Sign> = {
  reserved: { word: "Reserved", icon: Hourglass, tone: "pending" },
  sweeping: { word: "Taking crypto", icon: Loader, tone: "processing" },
  paying_out: { word: "Paying out", icon: Loader, tone: "processing" },
  returning: { word: "Returning crypto", icon: Undo2, tone: "undelivered" },
  paid: { word: "Completed", icon: Check, tone: "executed" },
  released: { word: "Failed", icon: X, tone: "failed" },
  returned: { word: "Failed, returned", icon: X, tone: "failed" },
  unreturned: { word: "Failed, not returned", icon: X, tone: "failed" },
};

const TOPUPS: Record<TopupStep, Sign> = {
  collecting: { word: "Awaiting payment", icon: Hourglass, tone: "pending" },
  sending: { word: "Sending crypto", icon: Loader, tone: "processing" },
  sent: { word: "Completed", icon: Check, tone: "executed" },
  uncollected: { word: "Not paid", icon: X, tone: "failed" },
  unsent: { word: "Paid, not sent", icon: X, tone: "failed" },
};

/** An operator's case, and shown to operators alone. */
const UNCLEAR: Sign = { word: "Unclear at the provider", icon: CircleHelp, tone: "failed" };

const PAID_LATE: Sign = { word: "Paid too late", icon: CircleHelp, tone: "failed" };

type Of<Step> = { step: Step; ambiguousSince: string | null };

/** Where a withdrawal stands: finer than the status on the wire, which says pending, processing, completed or failed. */
export function WithdrawalBadge({ step, ambiguousSince }: Of<WithdrawalStep>) {
  return <Badge {...(ambiguousSince === null ? WITHDRAWALS[step] : UNCLEAR)} />;
}

/** As {@link WithdrawalBadge}, of a top-up. */
export function TopupBadge({ step, ambiguousSince }: Of<TopupStep>) {
  const unclear = step === "uncollected" ? PAID_LATE : UNCLEAR;
  return <Badge {...(ambiguousSince === null ? TOPUPS[step] : unclear)} />;
}
