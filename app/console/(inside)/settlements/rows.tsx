import { Copy, Download, Ellipsis } from "lucide-react";
import { useRouter } from "next/navigation";
import { type MouseEvent, type ReactNode, useMemo, useState } from "react";
import { Button, IconButton } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useRowKeys } from "../../_components/lists/use-row-keys.ts";
import { useSelection } from "../../_components/lists/use-selection.tsx";
import { useTranslations } from "../../_words/words.ts";
import { columnsFor, type Row } from "./columns.tsx";
import { RowCommands } from "./row-commands.ts";
import type { ListParams, SetParams } from "./search-params.ts";
import { usePageOf } from "./settlement-link.tsx";
import { COLUMNS, ROWS, SELECTION_BAR } from "./words.ts";

type Translations = typeof ROWS;

const Peek = lazyComponent(() => import("./peek.tsx").then(({ Peek: Loaded }) => Loaded));
const RowMenu = lazyComponent(() => import("./row-menu.tsx").then(({ RowMenu: Loaded }) => Loaded));

export type PartProps = {
  params: ListParams;
  set: SetParams;
  isOperator: boolean;
  mayDecide: boolean;
  hidden: ReadonlySet<string>;
  onExport: (txIds: readonly string[]) => void;
};
type RowsProps = PartProps & { rows: readonly Row[]; changed: ReadonlySet<string>; footer?: ReactNode };
/** Columns whose content the panel shows make room for the amounts. */
const TOLD_BESIDE = new Set(["partner", "merchant", "source", "external", "chain", "wallet", "ended", "callback"]);
const idOf = ({ settlement }: Row) => settlement.tx_id;

/**
 * J and K move between rows; Space or Enter shows the current one next to the list, with Ctrl or ⌘ in full; X selects; the dot opens more
 * actions.
 */
export function Rows({ rows, params, set, isOperator, mayDecide, hidden, changed, onExport, footer }: RowsProps) {
  const t = useTranslations(ROWS);
  const router = useRouter();
  const pageOf = usePageOf();
  const selection = useSelection(rows, idOf);
  const [menu, setMenu] = useState<Menu | null>(null);
  const peek = (txId: string | null) => set({ peek: txId }, { history: params.peek === null || txId === null ? "push" : "replace" });
  const look = (txId: string) => peek(txId === params.peek ? null : txId);
  const { marked, mark, walk } = useRowKeys({
    list: "settlements",
    ids: rows.map(idOf),
    previewId: params.peek,
    selection,
    enter: { does: t.previewRow, run: look },
    onWalk: (txId) => params.peek !== null && peek(txId),
  });
  const row = rows.find((each) => idOf(each) === marked);
  const isMarked = marked !== undefined;
  useShortcut("Space", t.previewRow, () => isMarked && look(marked), isMarked);
  useShortcut("Mod+Enter", t.openRow, () => isMarked && router.push(pageOf(marked)), isMarked);
  useShortcut(".", t.rowActions, () => openMenu(row, setMenu), row !== undefined);
  useShortcut("Escape", t.closeOrClear, () => (params.peek === null ? selection.clear() : peek(null)));
  const own = useOwnColumns(isOperator);
  const actions = useMemo(() => actionsColumn(menu, setMenu, t), [menu, t]);
  const columns = [selection.column, ...own, actions];
  return (
    <>
      {selection.ids.length > 0 && <SelectionBar ids={selection.ids} onExport={() => onExport(selection.ids)} onClear={selection.clear} />}
      <div className="beside" data-open={params.peek !== null || undefined}>
        <Table
          caption={t.caption}
          columns={columns}
          hidden={hidden}
          rows={rows}
          keyOf={idOf}
          rowProps={(each) => ({
            "data-changed": changed.has(idOf(each)) || undefined,
            "data-active": idOf(each) === marked || undefined,
            "data-selected": selection.has(idOf(each)) || undefined,
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
      {row && <RowCommands row={row} mayDecide={mayDecide} />}
      {menu && (
        <RowMenu
          {...menu}
          isOperator={isOperator}
          set={set}
          onPeek={() => peek(idOf(menu.row))}
          onSelect={() => selection.toggle(idOf(menu.row))}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

function useOwnColumns(isOperator: boolean) {
  const words = useTranslations(COLUMNS);
  return useMemo(
    () => columnsFor(isOperator, words).map((column) => ({ ...column, ...(TOLD_BESIDE.has(column.id) && { inPreview: true }) })),
    [isOperator, words],
  );
}

type Menu = { row: Row; anchor: HTMLElement };

function openMenu(row: Row | undefined, set: (menu: Menu) => void): void {
  const anchor = row && document.querySelector<HTMLElement>(`button[data-actions-of="${idOf(row)}"]`);
  if (row && anchor) set({ row, anchor });
}

/** A click on a control, or the end of a text selection, is not a click on the row. */
function isOnControl({ target }: MouseEvent): boolean {
  const isControl = target instanceof Element && target.closest("a, button, input, label") !== null;
  return isControl || (window.getSelection()?.toString() ?? "") !== "";
}

function actionsColumn(menu: Menu | null, set: (menu: Menu) => void, t: Translations): Column<Row> {
  return {
    id: "actions",
    header: "",
    pinned: "end",
    cell: (row) => (
      <IconButton
        label={t.actions(idOf(row))}
        icon={Ellipsis}
        aria-haspopup="menu"
        aria-expanded={menu !== null && idOf(menu.row) === idOf(row)}
        data-actions-of={idOf(row)}
        onClick={({ currentTarget }) => set({ row, anchor: currentTarget })}
      />
    ),
  };
}

type SelectionBarProps = { ids: readonly string[]; onExport: () => void; onClear: () => void };

/** The actions on the selected rows. */
function SelectionBar({ ids, onExport, onClear }: SelectionBarProps) {
  const t = useTranslations(SELECTION_BAR);
  const toast = useToast();
  const copy = () => void navigator.clipboard.writeText(ids.join("\n")).then(() => toast(t.copied, t.settlementIds(ids.length)));
  return (
    <div className="view-bar" role="status">
      <strong>{t.selected(ids.length)}</strong>
      <Button icon={Copy} onClick={copy}>
        {t.copyIds}
      </Button>
      <Button icon={Download} onClick={onExport}>
        {t.exportSelected}
      </Button>
      <Button look="quiet" onClick={onClear}>
        {t.clearSelection}
      </Button>
    </div>
  );
}
