import { Select, TextField } from "#app/console/_components/controls/field.tsx";
import { useTranslations } from "../../_words/words.ts";
import { each, type Filter, type Filters } from "./filters.ts";
import { FILTER_FIELD } from "./words.ts";

type Translations = typeof FILTER_FIELD;

type FieldProps<Params> = {
  of: Filter<Params>;
  draft: Params;
  filters: Filters<Params>;
  change: (next: Partial<Params>) => void;
};

/** Groups of digits may be separated by commas or spaces, which are dropped. */
const amountOf = (t: Translations) => ({ inputMode: "decimal", pattern: "\\d{1,16}(\\.\\d{1,4})?", title: t.amountWanted }) as const;

/** One field of the drawer. An empty field is not a filter. */
export function FilterField<Params>({ of: filter, draft, filters, change }: FieldProps<Params>) {
  const t = useTranslations(FILTER_FIELD);
  const { name, label = "", hint, choices, any = t.any, type, ticked, needs } = filter;
  const value = draft[name] ?? null;
  const set = (next: string | number | null) => {
    const dependent = next === null ? each(filters).filter((one) => one.needs?.name === name) : [];
    change(Object.fromEntries([[name, next], ...dependent.map((one) => [one.name, null])]) as Partial<Params>);
  };
  if (ticked !== undefined) {
    return (
      <label className="check">
        <input type="checkbox" checked={value !== null} onChange={({ target }) => set(target.checked ? ticked : null)} />
        {label}
      </label>
    );
  }
  const text = value === null ? "" : String(value);
  if (choices) {
    return (
      <Select
        label={label}
        value={text}
        choices={[{ value: "", label: any }, ...choices]}
        onChange={({ target }) => set(choices.find((one) => one.value === target.value)?.value ?? null)}
      />
    );
  }
  const wanted = needs === undefined ? null : draft[needs.name];
  const shownHint = needs === undefined ? hint : wanted === null ? needs.hint : String(wanted);
  const read = (typed: string) => (type === "number" ? Number.parseInt(typed, 10) : type === "amount" ? t.format.plain(typed) : typed);
  return (
    <TextField
      label={label}
      value={text}
      disabled={needs !== undefined && wanted === null}
      {...(shownHint !== undefined && { hint: shownHint })}
      {...(type === "amount" ? amountOf(t) : type === "number" ? { type, min: 1 } : type && { type })}
      onChange={({ target }) => set(target.value === "" ? null : read(target.value) || null)}
    />
  );
}
