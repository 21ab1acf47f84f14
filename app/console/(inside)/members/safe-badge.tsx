import { Check, Loader, Wallet, X } from "lucide-react";
import type { SafeStatus } from "#domain/member.ts";
import { Badge } from "../../_components/controls/values.tsx";

const SIGNS = {
  deploying: { word: "Deploying Safe", icon: Loader, tone: "processing" },
  deployed: { word: "Safe deployed", icon: Check, tone: "executed" },
  failed: { word: "Safe failed", icon: X, tone: "failed" },
  own: { word: "Own wallet", icon: Wallet, tone: "plain" },
} as const;

export const SAFE_WORDS = { deploying: "Deploying", deployed: "Deployed", failed: "Failed", own: "Own wallet" } as const;

/** How far the member's Safe has come; null: it brought a wallet of its own. */
export function SafeBadge({ status }: { status: SafeStatus | null }) {
  return <Badge {...SIGNS[status ?? "own"]} />;
}
