import type { Answers } from "#server/console/router.ts";
import { grouped } from "../../_format/amount.ts";

export type Pair = Answers["rates"]["terms"]["data"][number];
export type TermsShown = Pair["terms"];
/** The terms that a person sets, as they were; `null` and numbers stay what they are. */
export type TermsSet = Omit<TermsShown, "version" | "withdrawn" | "created_at">;

/** Whose terms: a pair's, or with a partner the terms it has of its own. */
export type Owner = { source_currency: string; destination_currency: string; chain: string; partner_id: string | null };

export const pairName = ({ source_currency, destination_currency }: { source_currency: string; destination_currency: string }) =>
  `${source_currency} → ${destination_currency}`;

export const pairKey = (pair: { source_currency: string; destination_currency: string; chain: string }) =>
  `${pair.source_currency}/${pair.destination_currency}/${pair.chain}`;

/** Why nobody can quote the pair, in a few words. */
export const STATE_WORDS: Record<Pair["state"], string> = {
  up: "Quoting",
  disabled: "Disabled",
  no_rate: "No rate",
  stale_rate: "Rate too old",
  unquotable_rate: "No price",
  chain_paused: "Chain halted",
};

/** The cause as a sentence, for the banner. */
export const STATE_CAUSES: Record<Exclude<Pair["state"], "up" | "disabled">, string> = {
  no_rate: "there is no rate; the source has told none, or it was taken away",
  stale_rate: "the source has not told a rate for too long",
  unquotable_rate: "no price can be made of the rate and the spread",
  chain_paused: "the chain stands, or every wallet of it",
};

export function setOf({ version: _version, withdrawn: _withdrawn, created_at: _created, ...terms }: TermsShown): TermsSet {
  return terms;
}

type Field = { name: keyof TermsSet; label: string; write: (terms: TermsSet, pair: Currencies) => string };
type Currencies = { source_currency: string; destination_currency: string };

export const seconds = (value: number) => (value % 60 === 0 && value >= 60 ? `${value / 60} min` : `${value} s`);

const FIELDS: readonly Field[] = [
  { name: "enabled", label: "Enabled", write: ({ enabled }) => (enabled ? "yes" : "no") },
  { name: "spread_bps", label: "Spread", write: ({ spread_bps }) => `${spread_bps} bps` },
  {
    name: "platform_fee",
    label: "Platform fee",
    write: ({ platform_fee }, pair) => `${grouped(platform_fee)} ${pair.destination_currency}`,
  },
  {
    name: "minimum_source_amount",
    label: "Minimum",
    write: (terms, pair) => `${grouped(terms.minimum_source_amount, 0)} ${pair.source_currency}`,
  },
  {
    name: "maximum_source_amount",
    label: "Maximum",
    write: (terms, pair) => `${grouped(terms.maximum_source_amount, 0)} ${pair.source_currency}`,
  },
  {
    name: "two_approvals_above_amount",
    label: "Two approvals above",
    write: ({ two_approvals_above_amount: two }, pair) => (two === null ? "never" : `${grouped(two, 0)} ${pair.source_currency}`),
  },
  { name: "quote_lifetime_seconds", label: "Quote lifetime", write: ({ quote_lifetime_seconds: lifetime }) => seconds(lifetime) },
  {
    name: "approved_lifetime_seconds",
    label: "Lifetime after approval",
    write: ({ approved_lifetime_seconds: lifetime }) => seconds(lifetime),
  },
];

export type Difference = { label: string; before: string | null; after: string };

/** What differs from one version to another, in words; everything where there was none. */
export function differences(before: TermsSet | null, after: TermsSet, pair: Currencies): Difference[] {
  return FIELDS.flatMap(({ label, write }) => {
    const [was, is] = [before && write(before, pair), write(after, pair)];
    return was === is ? [] : [{ label, before: was, after: is }];
  });
}
