import { Ban, Check } from "lucide-react";
import { Badge } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { PARTNER_SIGNS } from "./words.ts";

export function rolesInWords(roles: readonly string[], t: typeof PARTNER_SIGNS): string {
  return roles.map((role) => t.roles[role] ?? role).join(", ");
}

export function PartnerStatus({ status }: { status: "active" | "suspended" }) {
  const t = useTranslations(PARTNER_SIGNS);
  return status === "active" ? (
    <Badge word={t.active} icon={Check} tone="executed" />
  ) : (
    <Badge word={t.suspended} icon={Ban} tone="failed" />
  );
}
