import type { Limit } from "./answers.ts";
import type { LIMIT } from "./limit-words.ts";

type Translations = typeof LIMIT;

/** A limit as one sentence. */
export function sentenceOfLimit(limit: Limit, t: Translations): string {
  const { kind, wait_hours: wait } = limit;
  const most = limit.amount !== null ? t.amount(limit.amount, limit.destination_currency) : t.times(limit.times_maximum);
  const window = t.within[limit.window === "day" ? "day" : "hour"];
  switch (kind) {
    case "velocity":
      return t.velocity(most, window, t.counted[limit.counted_by ?? "all"]);
    case "wallet":
      return t.wallet(most, window);
    case "credit_line":
      return t.creditLine(`${limit.amount} ${limit.source_currency}`);
    case "new_destination":
      return t.newDestination(wait);
    case "new_key":
      return t.newKey(wait);
    case "open_quotes":
      return t.openQuotes(`${limit.amount} ${limit.source_currency}`);
    case "open_loss":
      return t.openLoss(`${limit.amount} ${limit.source_currency}`);
    case "allow_list":
      return t.allowList(limit.addresses?.length ?? 0);
  }
}

/** Its scope. */
export function scopeOfLimit(limit: Limit, partnerName: (id: string) => string, t: Translations): string {
  const { partner_id, source_currency: from, destination_currency: to, chain, purpose } = limit;
  const pair = from || to ? `${from ?? t.any} → ${to ?? t.any}` : null;
  const named = [purpose && t.purposes[purpose], partner_id && partnerName(partner_id), pair, chain].filter(Boolean);
  return named.length === 0 ? t.everybody : named.join(", ");
}
