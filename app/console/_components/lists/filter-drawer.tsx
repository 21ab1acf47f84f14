import { ListFilter, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { useTranslations } from "../../_words/words.ts";
import { FilterField } from "./filter-field.tsx";
import { each, type Narrowing } from "./filters.ts";
import { FILTER_DRAWER } from "./words.ts";

/**
 * All filters of a list, in a drawer. Choices are a draft until they are applied together: one history entry and one request, however many
 * fields changed. Closing the drawer leaves the list as it was.
 */
export function FilterDrawer<Params extends object>({ of }: { of: Narrowing<Params> }) {
  const t = useTranslations(FILTER_DRAWER);
  const { params, filters, held, many, noFilter, choose } = of;
  const [changes, setChanges] = useState<Partial<Params> | null>(null);
  const form = useId();
  const draft = { ...params, ...changes };
  // The search has its own field and its own way to clear it.
  const none = "q" in noFilter && "q" in params ? { ...noFilter, q: params.q } : noFilter;
  const count = held.filter(({ without }) => !("q" in without)).length;
  const change = (next: Partial<Params>) => setChanges((before) => ({ ...before, ...next }));
  const apply = (event: FormEvent) => {
    event.preventDefault();
    setChanges(null);
    if (changes !== null && Object.keys(changes).length > 0) choose(trimmed(changes));
  };
  return (
    <>
      <Button icon={ListFilter} onClick={() => setChanges({})}>
        {count === 0 ? t.filter : t.filterCount(count)}
      </Button>
      <Dialog
        open={changes !== null}
        onOpenChange={(open) => !open && setChanges(null)}
        title={t.filterMany(many)}
        shape="drawer"
        actions={
          <>
            <Button onClick={() => setChanges(none)} disabled={holds(draft, none)}>
              {t.clearAll}
            </Button>
            <Button look="primary" type="submit" form={form}>
              {t.show(many)}
            </Button>
          </>
        }
      >
        <form id={form} className="form" onSubmit={apply}>
          {filters.map((filter) => {
            const fields = each([filter])
              .filter(({ label }) => label !== undefined)
              .map((one) => <FilterField key={one.name} of={one} draft={draft} filters={filters} change={change} />);
            return fields.length > 1 ? (
              <div key={fields[0]?.key} className="field-row">
                {fields}
              </div>
            ) : (
              fields
            );
          })}
        </form>
      </Dialog>
    </>
  );
}

function holds<Params extends object>(draft: Params, part: Partial<Params>): boolean {
  return Object.entries(part).every(([name, value]) => draft[name as keyof Params] === value);
}

/** The trimmed input; blank input is not a filter. */
function trimmed<Params extends object>(changes: Partial<Params>): Partial<Params> {
  const entries = Object.entries(changes).map(([name, value]) => [name, typeof value === "string" ? value.trim() || null : value]);
  return Object.fromEntries(entries) as Partial<Params>;
}

/** The active filters as chips; one click removes each. */
export function FilterChips<Params>({ of: { held, choose, clear } }: { of: Narrowing<Params> }) {
  const t = useTranslations(FILTER_DRAWER);
  if (held.length === 0) return null;
  return (
    <ul className="chips active-filters" aria-label={t.filters}>
      {held.map(({ text, without }) => (
        <li key={text}>
          <button type="button" className="chip" aria-label={t.removeFilter(text)} onClick={() => choose(without as Partial<Params>)}>
            {text}
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
      <li>
        <Button look="quiet" onClick={clear}>
          {t.clear}
        </Button>
      </li>
    </ul>
  );
}
