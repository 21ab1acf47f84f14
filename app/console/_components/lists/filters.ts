import type { Choice } from "#app/console/_components/controls/field.tsx";
import type { SetParams } from "./address-params.ts";
import { FILTERS } from "./words.ts";

/** One filter of a list: its parameter in the URL, its field in the drawer, its chip above the rows. */
export type Filter<Params> = {
  name: keyof Params & string;
  /** The label of its field; none: it has no field and is set elsewhere. */
  label?: string;
  hint?: string;
  /** One of these, or any; without them it is a text, a day or a number. */
  choices?: readonly Choice[];
  /** The label while nothing is chosen. */
  any?: string;
  type?: "date" | "number" | "amount";
  /** A checkbox, and its value in the URL. */
  ticked?: string;
  /** Another parameter that it depends on, and the text shown when that is missing. */
  needs?: { name: keyof Params & string; hint: string };
  /** Parameters that are removed with it. */
  along?: readonly (keyof Params & string)[];
  /** The text of its chip; default: the label of the choice. */
  held?: (value: string) => string;
};
/** Filters below each other; those of an inner list are side by side. */
export type Filters<Params> = readonly (Filter<Params> | readonly Filter<Params>[] | false)[];

/** An active filter as text, with the change that removes it. */
type Held<Params> = { text: string; without: Partial<Record<keyof Params, null>> };

/** The filters of a list, and how to change them. */
export type Narrowing<Params> = {
  params: Params;
  set: SetParams<Params>;
  filters: Filters<Params>;
  held: readonly Held<Params>[];
  /** The singular and plural noun of the list, for sentences. */
  one: string;
  many: string;
  fromTheTop: Partial<Params>;
  noFilter: Partial<Params>;
  /** The list from its newest row on, with this filter too. */
  choose: SetParams<Params>;
  clear: () => void;
};

type Trans<Params> = Pick<Narrowing<Params>, "params" | "set" | "filters" | "one" | "many">;

/** Everything that a screen needs to know about the filters of its list. */
export function narrow<Params>(
  { fromTheTop, noFilter }: { fromTheTop: Partial<Params>; noFilter: Partial<Params> },
  sentence: Trans<Params>,
): Narrowing<Params> {
  const { params, set, filters } = sentence;
  return {
    ...sentence,
    fromTheTop,
    noFilter,
    held: heldOf(filters, params),
    choose: (next, options) => set({ ...fromTheTop, ...next }, options),
    clear: () => set(noFilter),
  };
}

/** The filters one by one. */
export function each<Params>(filters: Filters<Params>): Filter<Params>[] {
  return filters.flatMap((filter) => filter || []);
}

function heldOf<Params>(filters: Filters<Params>, params: Params): Held<Params>[] {
  const all = each(filters);
  return all.flatMap(({ name, choices, held, along = [] }) => {
    const value = params[name];
    if (value === null || value === undefined) return [];
    const said = String(value);
    const text = held?.(said) ?? choices?.find((choice) => choice.value === said)?.label ?? said;
    const gone = [name, ...along, ...all.filter(({ needs }) => needs?.name === name).map((one) => one.name)];
    return [{ text, without: Object.fromEntries(gone.map((one) => [one, null])) as Held<Params>["without"] }];
  });
}

/** The fields that the page's search covers. */
export function searched<Params extends { q: string | null }>(held = FILTERS.contains): Filter<Params> {
  return { name: "q", held };
}

/** A first and a last day, both inclusive. */
export function days<Params>(
  [from, to]: readonly [keyof Params & string, keyof Params & string],
  [label, until]: readonly [string, string],
  t: Pick<typeof FILTERS, "since" | "until"> = FILTERS,
): Filter<Params>[] {
  return [
    { name: from, label, type: "date", held: t.since },
    { name: to, label: until, type: "date", held: t.until },
  ];
}

/** The partner; for partners' own users it is shown by name. */
export function partnerFilter<Params extends { partner: string | null }>(
  partners: readonly { id: string; name: string }[] = [],
  t: Pick<typeof FILTERS, "partner" | "onePartner"> = FILTERS,
): Filter<Params> {
  const nameOf = (id: string) => partners.find((each) => each.id === id)?.name ?? t.onePartner;
  return { name: "partner", label: t.partner, choices: named(partners), held: nameOf };
}

/** Values with their labels. */
export function worded<Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>): Choice[] {
  return values.map((value) => ({ value, label: words[value] }));
}

/** Values that are their own labels, such as currencies. */
export function plain(values: readonly string[] = []): Choice[] {
  return values.map((value) => ({ value, label: value, origin: "data" }));
}

/** Partners or people: by id, shown by name. */
export function named(all: readonly { id: string; name: string }[] = []): Choice[] {
  return all.map(({ id, name }) => ({ value: id, label: name, origin: "data" }));
}

/** Chains by name, with their ids. */
export function chainChoices(chains: readonly { chain: string; name: string }[] = []): Choice[] {
  return chains.map(({ chain, name }) => ({ value: chain, label: `${name} (${chain})`, origin: "data" }));
}
