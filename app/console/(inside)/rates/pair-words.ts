import type { Answers } from "#server/console/router.ts";
import type { WithShared } from "../../_words/shared.ts";
import type { TERMS } from "./terms-words.ts";

type Translations = WithShared<typeof TERMS>;

export type Pair = Answers["rates"]["terms"]["data"][number];
export type TermsShown = Pair["terms"];
/** Terms in the form in which people set them; `null` and numbers stay as they are. */
export type TermsSet = Omit<TermsShown, "version" | "withdrawn" | "created_at">;

/** Whose terms: the pair's, or with a partner that partner's own. */
export type Owner = { source_currency: string; destination_currency: string; chain: string; partner_id: string | null };

export const pairName = ({ source_currency, destination_currency }: { source_currency: string; destination_currency: string }) =>
  `${source_currency} → ${destination_currency}`;

export const pairKey = (pair: { source_currency: string; destination_currency: string; chain: string }) =>
  `${pair.source_currency}/${pair.destination_currency}/${pair.chain}`;

export function setOf({ version: _version, withdrawn: _withdrawn, created_at: _created, ...terms }: TermsShown): TermsSet {
  return terms;
}

type Field = { name: keyof TermsSet; write: (terms: TermsSet, pair: Currencies, t: Translations) => string };
type Currencies = { source_currency: string; destination_currency: string };

export const seconds = (value: number, t: Translations) => (value % 60 === 0 && value >= 60 ? t.minutes(value / 60) : t.seconds(value));

const FIELDS: readonly Field[] = [
  { name: "enabled", write: ({ enabled }, _, t) => (enabled ? t.yes : t.no) },
  { name: "spread_bps", write: ({ spread_bps }, _, t) => t.bps(spread_bps) },
  {
    name: "platform_fee",
    write: ({ platform_fee }, pair, t) => `${t.format.grouped(platform_fee)} ${pair.destination_currency}`,
  },
  {
    name: "minimum_source_amount",
    write: (terms, pair, t) => `${t.format.grouped(terms.minimum_source_amount, 0)} ${pair.source_currency}`,
  },
  {
    name: "maximum_source_amount",
    write: (terms, pair, t) => `${t.format.grouped(terms.maximum_source_amount, 0)} ${pair.source_currency}`,
  },
  {
    name: "two_approvals_above_amount",
    write: ({ two_approvals_above_amount: two }, pair, t) =>
      two === null ? t.never : `${t.format.grouped(two, 0)} ${pair.source_currency}`,
  },
  {
    name: "batch_maximum_source_amount",
    write: ({ batch_maximum_source_amount: most }, pair, t) =>
      most === null ? t.never : `${t.format.grouped(most, 0)} ${pair.source_currency}`,
  },
  { name: "quote_lifetime_seconds", write: ({ quote_lifetime_seconds: lifetime }, _, t) => seconds(lifetime, t) },
  {
    name: "approved_lifetime_seconds",
    write: ({ approved_lifetime_seconds: lifetime }, _, t) => seconds(lifetime, t),
  },
];

export type Difference = { label: string; before: string | null; after: string };

/** The differences between two versions, in words; everything if there was no earlier one. */
export function differences(before: TermsSet | null, after: TermsSet, pair: Currencies, t: Translations): Difference[] {
  return FIELDS.flatMap(({ name, write }) => {
    const [was, is] = [before && write(before, pair, t), write(after, pair, t)];
    return was === is ? [] : [{ label: t.labels[name], before: was, after: is }];
  });
}
