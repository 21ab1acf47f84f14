import { Check, Hourglass, Loader, X } from "lucide-react";
import type { SafeDeploymentKind, SafeDeploymentState } from "#domain/safe-deployment.ts";
import { Badge } from "../../../_components/controls/values.tsx";

export const KIND_WORDS: Record<SafeDeploymentKind, string> = {
  safe: "Safe",
  master_copy: "Master contract",
  proxy_factory: "Proxy factory",
  fallback_handler: "Fallback handler",
};

const SIGNS = {
  asked: { word: "Queued", icon: Hourglass, tone: "pending" },
  owed: { word: "On its way", icon: Loader, tone: "processing" },
  made: { word: "Being checked", icon: Loader, tone: "processing" },
  deployed: { word: "Deployed", icon: Check, tone: "executed" },
  failed: { word: "Failed", icon: X, tone: "failed" },
} as const;
export const STATE_WORDS: Record<SafeDeploymentState, string> = {
  asked: SIGNS.asked.word,
  owed: SIGNS.owed.word,
  made: SIGNS.made.word,
  deployed: SIGNS.deployed.word,
  failed: SIGNS.failed.word,
};

export function DeploymentBadge({ state }: { state: SafeDeploymentState }) {
  return <Badge {...SIGNS[state]} />;
}

/** Whose it is: one of the operator's own, one that all Safes share, or a member's. */
export function purposeOf({ shared, member_id }: { shared: boolean; member_id: string | null }): string {
  if (member_id !== null) return "A member's Safe";
  return shared ? "For all Safes of the chain" : "The operator's own";
}
