import { Ban, Check, CircleHelp, Hourglass, Loader, type LucideIcon, Undo2, X } from "lucide-react";
import type { TopupStep } from "#domain/topup.ts";
import type { WithdrawalStep } from "#domain/withdrawal.ts";
import { Badge } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { STEPS } from "./story-words.ts";

type Sign = { icon: LucideIcon; tone: string };

const WITHDRAWALS: Record<WithdrawalStep, Sign> = {
  reserved: { icon: Hourglass, tone: "pending" },
  sweeping: { icon: Loader, tone: "processing" },
  paying_out: { icon: Loader, tone: "processing" },
  returning: { icon: Undo2, tone: "undelivered" },
  paid: { icon: Check, tone: "executed" },
  released: { icon: X, tone: "failed" },
  returned: { icon: X, tone: "failed" },
  unreturned: { icon: X, tone: "failed" },
};

const TOPUPS: Record<TopupStep, Sign> = {
  collecting: { icon: Hourglass, tone: "pending" },
  sending: { icon: Loader, tone: "processing" },
  sent: { icon: Check, tone: "executed" },
  uncollected: { icon: X, tone: "failed" },
  unsent: { icon: X, tone: "failed" },
};

/** An operator's case, visible only to operators. */
const UNCLEAR: Sign = { icon: CircleHelp, tone: "failed" };
const CANCELLED: Sign = { icon: Ban, tone: "cancelled" };

type Of<Step> = { step: Step; ambiguous_since: string | null; is_cancelled: boolean };

/** A withdrawal's step: finer than the status on the wire (pending, processing, completed or failed). */
export function WithdrawalBadge({ step, ambiguous_since, is_cancelled }: Of<WithdrawalStep>) {
  const t = useTranslations(STEPS);
  if (is_cancelled) return <Badge word={t.cancelled} {...CANCELLED} />;
  return ambiguous_since === null ? <Badge word={t.withdrawal[step]} {...WITHDRAWALS[step]} /> : <Badge word={t.unclear} {...UNCLEAR} />;
}

/** As {@link WithdrawalBadge}, of a top-up. */
export function TopupBadge({ step, ambiguous_since, is_cancelled }: Of<TopupStep>) {
  const t = useTranslations(STEPS);
  if (is_cancelled) return <Badge word={t.cancelled} {...CANCELLED} />;
  if (ambiguous_since === null) return <Badge word={t.topup[step]} {...TOPUPS[step]} />;
  return <Badge word={step === "uncollected" ? t.paidLate : t.unclear} {...UNCLEAR} />;
}
