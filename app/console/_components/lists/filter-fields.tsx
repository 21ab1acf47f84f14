"use client";

import type { ComponentProps } from "react";
import { Select, TextField } from "#app/console/_components/controls/field.tsx";

/** Fields of a `FilterDrawer`: what is empty is no filter. */

type FilterChoice<Value extends string> = { value: Value; label: string };

type FilterSelectProps<Value extends string> = {
  label: string;
  /** What it says while nothing is chosen. */
  any?: string;
  value: Value | null;
  choices: readonly FilterChoice<Value>[];
  onChoose: (value: Value | null) => void;
};

/** One of them, or any. */
export function FilterSelect<Value extends string>({ label, any = "Any", value, choices, onChoose }: FilterSelectProps<Value>) {
  return (
    <Select
      label={label}
      value={value ?? ""}
      choices={[{ value: "", label: any }, ...choices]}
      onChange={({ target }) => onChoose(choices.find((each) => each.value === target.value)?.value ?? null)}
    />
  );
}

type FilterTextProps = Omit<ComponentProps<typeof TextField>, "value" | "onChange"> & {
  value: string | null;
  onChange: (text: string | null) => void;
};

/** What is typed, or with `type="date"` a day. */
export function FilterText({ value, onChange, ...rest }: FilterTextProps) {
  return (
    <TextField
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value || null)}
    />
  );
}

/** Values with the words for them. */
export function worded<Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>): FilterChoice<Value>[] {
  return values.map((value) => ({ value, label: words[value] }));
}

/** Values that are their own words, such as currencies. */
export function plain(values: readonly string[] = []): FilterChoice<string>[] {
  return values.map((value) => ({ value, label: value }));
}

/** Partners, people: by id, called by name. */
export function named(all: readonly { id: string; name: string }[] = []): FilterChoice<string>[] {
  return all.map(({ id, name }) => ({ value: id, label: name }));
}

export function chainChoices(chains: readonly { chain: string; name: string }[] = []): FilterChoice<string>[] {
  return chains.map(({ chain, name }) => ({ value: chain, label: `${name} (${chain})` }));
}
