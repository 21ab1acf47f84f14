import { Ban, Check } from "lucide-react";
import { Badge } from "../../_components/controls/values.tsx";
import { useWords } from "../../_words/words.ts";
import { PARTNER_SIGNS } from "./words.ts";

export function rolesInWords(roles: readonly string[], says: typeof PARTNER_SIGNS): string {
  return roles.map((role) => says.roles[role] ?? role).join(", ");
}

export function PartnerStatus({ status }: { status: "active" | "suspended" }) {
  const says = useWords(PARTNER_SIGNS);
  return status === "active" ? (
    <Badge word={says.active} icon={Check} tone="executed" />
  ) : (
    <Badge word={says.suspended} icon={Ban} tone="failed" />
  );
}
