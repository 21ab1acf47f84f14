import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";
import { useCommand } from "../frame/commands.ts";
import { type Column, Table } from "./table.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import type { Selection } from "./use-selection.tsx";

export type WalkedRowsProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  /** A row's page or panel: the target of Enter. */
  open: (row: Row) => string | (() => void);
  selection?: Selection<Row> | null;
  /** What the palette offers for the current row; null: nothing. */
  commandOf?: (row: Row) => { label: string; about: string; run: () => void } | null;
};

/** The rows of a page as a table with keyboard navigation. */
export function WalkedRows<Row>(props: WalkedRowsProps<Row> & { rows: readonly Row[]; footer?: ReactNode }) {
  const t = useTranslations(SHARED);
  const { rows, caption, columns, idOf, open, selection, commandOf, footer } = props;
  const router = useRouter();
  const run = (id: string) => {
    const row = rows.find((each) => idOf(each) === id);
    const to = row && open(row);
    if (typeof to === "string") router.push(to);
    else to?.();
  };
  const { marked } = useRowKeys({
    list: caption,
    ids: rows.map(idOf),
    enter: { does: t.openRow, run },
    selection,
  });
  const current = rows.find((row) => idOf(row) === marked);
  const command = current && commandOf?.(current);
  useCommand(command?.label ?? "", command?.about ?? "", () => command?.run(), Boolean(command));
  return (
    <Table
      caption={caption}
      columns={selection ? [selection.column, ...columns] : columns}
      rows={rows}
      keyOf={idOf}
      rowProps={(row) => ({
        "data-active": idOf(row) === marked || undefined,
        "data-selected": selection?.has(idOf(row)) || undefined,
      })}
      footer={footer}
    />
  );
}
