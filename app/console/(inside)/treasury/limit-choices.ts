import type { Limit } from "./answers.ts";

export const COUNTED_WORDS: Record<NonNullable<Limit["counted_by"]>, string> = {
  partner: "for each partner",
  pair: "for each partner's pair",
  destination: "for each destination",
  all: "for all together",
};

const KIND_WORDS: Record<Limit["kind"], string> = {
  velocity: "What is confirmed in a time",
  wallet: "What leaves a treasury wallet in a time",
  credit_line: "What a partner owes",
  new_destination: "New destinations",
  new_key: "New API keys",
  allow_list: "The only destinations",
};

const choicesOf = <Value extends string>(words: Record<Value, string>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }));

export const KINDS = choicesOf(KIND_WORDS);
export const COUNTED = choicesOf(COUNTED_WORDS);
export const WINDOWS = [
  { value: "hour", label: "An hour" },
  { value: "day", label: "A day" },
];
export const MODES = [
  { value: "enforce", label: "Holds what is beyond it" },
  { value: "dry_run", label: "Only records" },
  { value: "off", label: "Off" },
];
