import type { Limit } from "./answers.ts";
import type { LIMIT } from "./limit-words.ts";

type Says = typeof LIMIT;

/** What a limit says, in one sentence. */
export function sentenceOfLimit(limit: Limit, says: Says): string {
  const { kind, wait_hours: wait } = limit;
  const most = limit.amount !== null ? says.amount(limit.amount, limit.destination_currency) : says.times(limit.times_maximum);
  const window = says.within[limit.window === "day" ? "day" : "hour"];
  switch (kind) {
    case "velocity":
      return says.velocity(most, window, says.counted[limit.counted_by ?? "all"]);
    case "wallet":
      return says.wallet(most, window);
    case "credit_line":
      return says.creditLine(`${limit.amount} ${limit.source_currency}`);
    case "new_destination":
      return says.newDestination(wait);
    case "new_key":
      return says.newKey(wait);
    case "allow_list":
      return says.allowList(limit.addresses?.length ?? 0);
  }
}

/** Whom it concerns. */
export function scopeOfLimit(limit: Limit, partnerName: (id: string) => string, says: Says): string {
  const { partner_id, source_currency: from, destination_currency: to, chain, purpose } = limit;
  const pair = from || to ? `${from ?? says.any} → ${to ?? says.any}` : null;
  const named = [purpose && says.purposes[purpose], partner_id && partnerName(partner_id), pair, chain].filter(Boolean);
  return named.length === 0 ? says.everybody : named.join(", ");
}
