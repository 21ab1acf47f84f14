/**
 * Facts about a settlement at the moment of its quote, each from rows that an index finds.
 *
 * - `first_wallet_use`: nothing was ever paid to this wallet for this partner.
 * - `wallet_changed`: the merchant's money first went to this wallet less than a day ago, and elsewhere before.
 * - `first_of_merchant`: the partner has confirmed nothing for this merchant yet.
 * - `repeated`: the same merchant, amount and wallet within ten minutes.
 * - `new_key`: the requesting API key is less than a day old.
 * - `screened_before`: a screening once held a payment of this partner to this wallet, and not only because of a missing answer.
 */
export const POLICY_HINTS = ["first_wallet_use", "wallet_changed", "first_of_merchant", "repeated", "new_key", "screened_before"] as const;
export type PolicyHint = (typeof POLICY_HINTS)[number];

/** Whose approval a rule asks for: everybody who decides, only admins, or only these people. */
export const POLICY_VOICES = ["deciders", "admins", "people"] as const;
/** What an amount refers to: what the partner pays, or what the wallet would receive, after the fee, at the price of the quote. */
export const POLICY_AMOUNTS = ["source", "destination"] as const;

export const MOST_RULES = 50;
export const MOST_APPROVALS = 5;
export const RULE_ID = /^[a-z0-9][a-z0-9-]{1,58}[a-z0-9]$/;

/** Rules as people write them, and as they are stored: amounts are plain decimals. */
export type WrittenRule = {
  id: string;
  partner_id: string | null;
  source_currency: string | null;
  destination_currency: string | null;
  chain: string | null;
  amount: { of: (typeof POLICY_AMOUNTS)[number]; from: string | null; below: string | null } | null;
  hints: PolicyHint[];
  approvals: number;
  who: (typeof POLICY_VOICES)[number];
  /** The people, where it asks for specific ones; otherwise empty. */
  people: string[];
};

/** The differences between two versions, in the order of the later one, removed ones last. */
export type RuleChange = {
  id: string;
  change: "added" | "changed" | "moved" | "kept" | "removed";
  before: WrittenRule | null;
  after: WrittenRule | null;
};

export function compareRules(before: readonly WrittenRule[], after: readonly WrittenRule[]): RuleChange[] {
  const kept = after.filter(({ id }) => before.some((rule) => rule.id === id)).map(({ id }) => id);
  const was = before.filter(({ id }) => after.some((rule) => rule.id === id)).map(({ id }) => id);
  const changes = after.map((rule): RuleChange => {
    const old = before.find(({ id }) => id === rule.id) ?? null;
    if (old === null) return { id: rule.id, change: "added", before: null, after: rule };
    const isSame = spelled(old) === spelled(rule);
    const isMoved = kept.indexOf(rule.id) !== was.indexOf(rule.id);
    return { id: rule.id, change: isSame ? (isMoved ? "moved" : "kept") : "changed", before: old, after: rule };
  });
  const gone = before.filter(({ id }) => !after.some((rule) => rule.id === id));
  return [...changes, ...gone.map((rule): RuleChange => ({ id: rule.id, change: "removed", before: rule, after: null }))];
}

/** What a rule says, the same however its amounts are spelled and its lists are ordered. */
function spelled({ amount, hints, people, ...rule }: WrittenRule): string {
  const shortest = (text: string | null) =>
    text
      ?.replace(/^0+(?=\d)/, "")
      .replace(/(\.\d*?)0+$/, "$1")
      .replace(/\.$/, "") ?? null;
  const names = ["id", "partner_id", "source_currency", "destination_currency", "chain", "approvals", "who"] as const;
  const said = amount && [amount.of, shortest(amount.from), shortest(amount.below)];
  return JSON.stringify([names.map((name) => rule[name]), said, hints.toSorted(), people.toSorted()]);
}
