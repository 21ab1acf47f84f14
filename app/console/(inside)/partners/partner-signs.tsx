import { Ban, Check } from "lucide-react";
import { Badge } from "../../_components/controls/values.tsx";

const ROLE_WORDS: Record<string, string> = { AGGREGATOR: "Aggregator", LIQUIDITY_PROVIDER: "Liquidity provider" };

export function rolesInWords(roles: readonly string[]): string {
  return roles.map((role) => ROLE_WORDS[role] ?? role).join(", ");
}

export function PartnerStatus({ status }: { status: "active" | "suspended" }) {
  return status === "active" ? <Badge word="Active" icon={Check} tone="executed" /> : <Badge word="Suspended" icon={Ban} tone="failed" />;
}
