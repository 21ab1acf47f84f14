import { Check, Hourglass, Loader, X } from "lucide-react";
import type { SafeDeploymentState } from "#domain/safe-deployment.ts";
import { Badge } from "../../../_components/controls/values.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { type PURPOSES, STATES } from "./words.ts";

const SIGNS = {
  asked: { icon: Hourglass, tone: "pending" },
  owed: { icon: Loader, tone: "processing" },
  made: { icon: Loader, tone: "processing" },
  deployed: { icon: Check, tone: "executed" },
  failed: { icon: X, tone: "failed" },
} as const;
export function DeploymentBadge({ state }: { state: SafeDeploymentState }) {
  return <Badge word={useTranslations(STATES)[state]} {...SIGNS[state]} />;
}

export function purposeOf({ shared, member_id }: { shared: boolean; member_id: string | null }, t: typeof PURPOSES): string {
  if (member_id !== null) return t.member;
  return shared ? t.shared : t.operator;
}
