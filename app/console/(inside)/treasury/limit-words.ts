import type { Limit } from "./answers.ts";
import { COUNTED_WORDS } from "./limit-choices.ts";

/** What a limit says, in one sentence. */
export function sentenceOfLimit(limit: Limit): string {
  const { kind, wait_hours: wait } = limit;
  const most =
    limit.amount !== null ? `${limit.amount} ${limit.destination_currency ?? "of tokens"}` : `${limit.times_maximum} × the pair's maximum`;
  const window = limit.window === "day" ? "a day" : "an hour";
  switch (kind) {
    case "velocity":
      return `At most ${most} within ${window}, ${COUNTED_WORDS[limit.counted_by ?? "all"]}`;
    case "wallet":
      return `At most ${most} within ${window} out of each treasury wallet`;
    case "credit_line":
      return `A partner owes at most ${limit.amount} ${limit.source_currency}`;
    case "new_destination":
      return `A destination is known ${wait} hours after it was first paid`;
    case "new_key":
      return `An API key is known ${wait} hours after it was made`;
    case "allow_list":
      return `Only ${limit.addresses?.length ?? 0} listed destinations are paid`;
  }
}

/** Whom it concerns. */
export function scopeOfLimit(limit: Limit, partnerName: (id: string) => string): string {
  const { partner_id, source_currency: from, destination_currency: to, chain } = limit;
  const pair = from || to ? `${from ?? "any"} → ${to ?? "any"}` : null;
  const named = [partner_id && partnerName(partner_id), pair, chain].filter(Boolean);
  return named.length === 0 ? "Everybody" : named.join(", ");
}

export const MODE_WORDS: Record<Limit["mode"], string> = { enforce: "Holds", dry_run: "Only records", off: "Off" };
