import { Check, Loader, Wallet, X } from "lucide-react";
import type { SafeStatus } from "#domain/member.ts";
import { Badge } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { SAFE_BADGE } from "./words.ts";

const SIGNS = {
  deploying: { icon: Loader, tone: "processing" },
  deployed: { icon: Check, tone: "executed" },
  failed: { icon: X, tone: "failed" },
  own: { icon: Wallet, tone: "plain" },
} as const;

/** The progress of the member's Safe; null: it brought its own wallet. */
export function SafeBadge({ status }: { status: SafeStatus | null }) {
  const t = useTranslations(SAFE_BADGE);
  return <Badge word={t[status ?? "own"]} {...SIGNS[status ?? "own"]} />;
}
