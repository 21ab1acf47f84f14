"use client";

import { Ellipsis } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type MouseEvent, type ReactNode, useState } from "react";
import { IconButton } from "../../_components/controls/button.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { Card, columnsFor, type Row } from "./columns.tsx";
import type { ListParams, SetParams } from "./search-params.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { usePageOf } from "./settlement-link.tsx";
import { useMarkedRow } from "./use-marked-row.ts";

const Peek = dynamic(() => import("./peek.tsx").then(({ Peek: Loaded }) => Loaded), { ssr: false });
const RowMenu = dynamic(() => import("./row-menu.tsx").then(({ RowMenu: Loaded }) => Loaded), { ssr: false });

/** What every way of listing them is given. */
export type PartProps = {
  params: ListParams;
  set: SetParams;
  isOperator: boolean;
  hidden: ReadonlySet<string>;
  onExport: (txIds: readonly string[]) => void;
};

type RowsProps = PartProps & { rows: readonly Row[]; changed: ReadonlySet<string>; footer?: ReactNode };
/** What the panel tells gives room to the amounts. */
const TOLD_ASIDE = ["partner", "merchant", "chain", "wallet"];
const idOf = ({ settlement }: Row) => settlement.tx_id;

/** J and K walk the rows; Space or Enter looks at the marked one beside the list, with Ctrl or ⌘ it opens; X selects, the dot asks what else. */
export function Rows({ rows, params, set, isOperator, hidden, changed, onExport, footer }: RowsProps) {
  const router = useRouter();
  const pageOf = usePageOf();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [menu, setMenu] = useState<Menu | null>(null);
  const { marked, mark, move } = useMarkedRow(rows.map(idOf), params.peek);
  const row = rows.find((each) => idOf(each) === marked);
  const peek = (txId: string | null) => set({ peek: txId }, { history: params.peek === null || txId === null ? "push" : "replace" });
  const walk = (step: number) => {
    const next = move(step);
    if (params.peek !== null && next !== undefined) peek(next);
  };
  const toggle = (txId: string) =>
    setSelected(new Set(selected.has(txId) ? [...selected].filter((each) => each !== txId) : [...selected, txId]));
  useShortcut("j", "Next row", () => walk(1));
  useShortcut("k", "Row before", () => walk(-1));
  const look = () => marked !== undefined && peek(marked === params.peek ? null : marked);
  useShortcut("Enter", "Look at the marked row beside the list", look, marked !== undefined);
  useShortcut("Space", "Look at the marked row beside the list", look, marked !== undefined);
  useShortcut("Mod+Enter", "Open the marked row", () => marked !== undefined && router.push(pageOf(marked)), marked !== undefined);
  useShortcut("x", "Select the marked row", () => marked !== undefined && toggle(marked), marked !== undefined);
  useShortcut(".", "What to do with the marked row", () => openMenu(row, setMenu), row !== undefined);
  useShortcut("Escape", "Close the side panel, clear the selection", () => (params.peek === null ? setSelected(new Set()) : peek(null)));
  const columns = [selectColumn(rows, selected, setSelected, toggle), ...columnsFor(isOperator), actionsColumn(menu, setMenu)];
  return (
    <>
      {selected.size > 0 && (
        <SelectionBar ids={[...selected]} onExport={() => onExport([...selected])} onClear={() => setSelected(new Set())} />
      )}
      <div className="beside" data-open={params.peek !== null || undefined}>
        <Table
          caption="Settlements, newest first"
          columns={columns}
          hidden={params.peek === null ? hidden : new Set([...hidden, ...TOLD_ASIDE])}
          rows={rows}
          keyOf={idOf}
          card={(each) => <Card row={each} isOperator={isOperator} />}
          rowProps={(each) => ({
            "data-changed": changed.has(idOf(each)) || undefined,
            "data-active": idOf(each) === marked || undefined,
            "data-selected": selected.has(idOf(each)) || undefined,
            onClick: (event: MouseEvent) => {
              if (isOnControl(event)) return;
              mark(idOf(each));
              peek(idOf(each));
            },
          })}
          footer={footer}
        />
        {params.peek !== null && (
          <Peek
            txId={params.peek}
            row={rows.find((each) => idOf(each) === params.peek)}
            isOperator={isOperator}
            onMove={walk}
            onClose={() => peek(null)}
          />
        )}
      </div>
      {menu && (
        <RowMenu
          {...menu}
          isOperator={isOperator}
          set={set}
          onPeek={() => peek(idOf(menu.row))}
          onSelect={() => toggle(idOf(menu.row))}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

type Menu = { row: Row; anchor: HTMLElement };

function openMenu(row: Row | undefined, set: (menu: Menu) => void): void {
  const anchor = row && document.querySelector<HTMLElement>(`button[data-actions-of="${idOf(row)}"]`);
  if (row && anchor) set({ row, anchor });
}

/** A click on what does something itself, or the end of marking a text, is no click on the row. */
function isOnControl({ target }: MouseEvent): boolean {
  const isControl = target instanceof Element && target.closest("a, button, input, label") !== null;
  return isControl || (window.getSelection()?.toString() ?? "") !== "";
}

function selectColumn(
  rows: readonly Row[],
  selected: ReadonlySet<string>,
  set: (ids: ReadonlySet<string>) => void,
  toggle: (txId: string) => void,
): Column<Row> {
  const all = rows.every((row) => selected.has(idOf(row)));
  const box = (label: string, checked: boolean, change: () => void) => (
    <label className="select-box">
      <input type="checkbox" aria-label={label} checked={checked} onChange={change} />
    </label>
  );
  return {
    id: "select",
    header: "",
    heading: box("Select every row of this page", all, () => set(new Set(all ? [] : rows.map(idOf)))),
    cell: (row) => box(`Select ${idOf(row)}`, selected.has(idOf(row)), () => toggle(idOf(row))),
  };
}

function actionsColumn(menu: Menu | null, set: (menu: Menu) => void): Column<Row> {
  return {
    id: "actions",
    header: "",
    pinned: "end",
    cell: (row) => (
      <IconButton
        label={`Actions for ${idOf(row)}`}
        icon={Ellipsis}
        aria-haspopup="menu"
        aria-expanded={menu !== null && idOf(menu.row) === idOf(row)}
        data-actions-of={idOf(row)}
        onClick={({ currentTarget }) => set({ row, anchor: currentTarget })}
      />
    ),
  };
}
