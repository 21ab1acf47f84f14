"use client";

import { Ban, Check } from "lucide-react";
import { Money } from "../../_components/controls/money.tsx";
import { Badge } from "../../_components/controls/status-badge.tsx";

const ROLE_WORDS: Record<string, string> = { AGGREGATOR: "Aggregator", LIQUIDITY_PROVIDER: "Liquidity provider" };

export function rolesInWords(roles: readonly string[]): string {
  return roles.map((role) => ROLE_WORDS[role] ?? role).join(", ");
}

export function PartnerStatus({ status }: { status: "active" | "suspended" }) {
  return status === "active" ? <Badge word="Active" icon={Check} tone="executed" /> : <Badge word="Suspended" icon={Ban} tone="failed" />;
}

/** What was paid out, a sum for each currency. */
export function Volume({ volume }: { volume: readonly { currency: string; amount: string }[] }) {
  if (volume.length === 0) return <span className="none">–</span>;
  return (
    <span className="volumes">
      {volume.map(({ currency, amount }) => (
        <Money key={currency} currency={currency} amount={amount} />
      ))}
    </span>
  );
}
