import { useState } from "react";
import { useTranslations } from "../../_words/words.ts";
import type { Column } from "./table.tsx";
import { USE_SELECTION } from "./words.ts";

export type Selection<Row> = {
  /** Including those of other pages. */
  ids: readonly string[];
  has: (id: string) => boolean;
  /** Whether it is visible, and allowed. */
  may: (id: string) => boolean;
  toggle: (id: string) => void;
  clear: () => void;
  column: Column<Row>;
};

/** The selected rows of a list, and the column of checkboxes. `maySelect`: omitted, every row can be selected. */
export function useSelection<Row>(rows: readonly Row[], idOf: (row: Row) => string, maySelect?: (row: Row) => boolean): Selection<Row> {
  const t = useTranslations(USE_SELECTION);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const offered = rows.filter((row) => maySelect?.(row) ?? true).map(idOf);
  const inSight = rows.map(idOf);
  const ids = chosen.filter((id) => offered.includes(id) || !inSight.includes(id));
  const all = offered.every((id) => ids.includes(id));
  const without = (gone: readonly string[]) => ids.filter((id) => !gone.includes(id));
  const has = (id: string) => ids.includes(id);
  const may = (id: string) => offered.includes(id);
  const toggle = (id: string) => setChosen(has(id) ? without([id]) : [...ids, id]);
  const box = (label: string, checked: boolean, change: () => void) => (
    <label className="select-box">
      <input type="checkbox" aria-label={label} checked={checked} onChange={change} />
    </label>
  );
  const column: Column<Row> = {
    id: "select",
    header: "",
    heading: box(t.selectAll, all, () => setChosen([...without(offered), ...(all ? [] : offered)])),
    cell: (row) => may(idOf(row)) && box(t.select(idOf(row)), has(idOf(row)), () => toggle(idOf(row))),
  };
  return { ids, has, may, toggle, clear: () => setChosen([]), column };
}
