/** Texts of an approval policy rule, also for a settlement that waits for it. */

/** A rule as one sentence: which settlements, when, and who approves. */
export const RULE = {
  any: "Every settlement",
  all: "Settlements",
  pair: (from: string, to: string) => `of ${from} → ${to}`,
  paidIn: (currency: string) => `from ${currency}`,
  paidOut: (token: string) => `to ${token}`,
  onChain: (chain: string) => `on ${chain}`,
  partner: (name: string) => `of the partner ${name}`,
  somePartner: "that is unknown",
  from: (amount: string) => `of ${amount} or more`,
  below: (amount: string) => `below ${amount}`,
  between: (from: string, below: string) => `of ${from} or more, below ${below}`,
  received: "received by the wallet",
  where: (hints: string) => `where ${hints}`,
  orSeparator: ", or ",
  waits: (who: string) => `waits for ${who}`,
  wait: (who: string) => `wait for ${who}`,
  deciders: (count: number) => (count === 1 ? "anyone who decides" : `${count} different people who decide`),
  admins: (count: number) => (count === 1 ? "an admin" : `${count} different admins`),
  people: (count: number, names: readonly string[]) => (count === names.length ? names.join(" and ") : `${count} of ${names.join(", ")}`),
  formerPerson: "someone who has left",
  tooFew: (able: number, needed: number) => `Only ${able} of the ${needed} people needed can approve today.`,
};

export const HINTS = {
  first_wallet_use: "nothing has been paid to the wallet for the partner before",
  wallet_changed: "the merchant's wallet changed less than a day ago",
  first_of_merchant: "it is the merchant's first",
  repeated: "the same settlement came in the ten minutes before, but not at the same instant",
  new_key: "the API key is less than a day old",
  screened_before: "a screening once held a payment to the wallet",
};

/** On the pages of approvals and settlements. */
export const DEMAND = {
  title: "Why approval is needed",
  rule: (name: string, version: number) => `Rule ${name} of version ${version}`,
  foundAtQuote: "Found at the quote",
  someoneElse: "The approval policy requires someone else's approval. You can still reject it.",
};
