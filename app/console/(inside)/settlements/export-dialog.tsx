import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EXPORT_COLUMNS, type ExportColumn } from "#domain/settlement-view.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { filterOf, type ListParams } from "./search-params.ts";
import { useExport } from "./use-export.ts";
import { EXPORT_DIALOG } from "./words.ts";

type ExportDialogProps = {
  params: ListParams;
  /** Only these, instead of all that the filter finds. */
  txIds: readonly string[] | null;
  isOperator: boolean;
  /** What the filter says, in words. */
  words: readonly string[];
  onClose: () => void;
};

/** Says what will be in the file before it is made, and how far it is while it is. */
export function ExportDialog({ params, txIds, isOperator, words, onClose }: ExportDialogProps) {
  const says = useWords(EXPORT_DIALOG);
  const trpc = useTRPC();
  const size = useQuery(trpc.settlements.exportSize.queryOptions(filterOf(params), { staleTime: 0, enabled: txIds === null }));
  const offered = EXPORT_COLUMNS.filter((column) => isOperator || column !== "partner");
  const [columns, setColumns] = useState<ReadonlySet<ExportColumn>>(new Set(offered));
  const [zone, setZone] = useState("UTC");
  const [bom, setBom] = useState(false);
  const { state, start, abort } = useExport();
  const running = state.kind === "running";
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(["UTC", ownZone])].map((value) => ({ value, label: value === "UTC" ? "UTC" : says.browsers(value) }));
  const begin = () =>
    start({
      filter: txIds === null ? filterOf(params) : {},
      ...(txIds && { tx_ids: txIds }),
      columns: offered.filter((column) => columns.has(column)),
      zone,
      bom,
    });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={says.exportSettlements}
      width="wide"
      actions={
        <>
          {running ? <Button onClick={abort}>{says.abort}</Button> : <Button onClick={onClose}>{says.close}</Button>}
          <Button look="primary" pending={running} disabled={columns.size === 0} onClick={begin}>
            {says.downloadCsv}
          </Button>
        </>
      }
    >
      <p>
        {txIds ? says.selected(txIds.length) : words.length === 0 ? says.everySettlement : says.only(words.join(", "))}{" "}
        {txIds === null && (size.data ? <RowCount {...size.data} /> : size.error ? null : says.counting)}
      </p>
      {size.error && <Trouble error={size.error} compact />}
      <Select label={says.times} value={zone} choices={zones} disabled={running} onChange={({ target }) => setZone(target.value)} />
      <fieldset className="export-columns" disabled={running}>
        <legend className="field-label">{says.columns}</legend>
        {offered.map((column) => (
          <label key={column} className="check">
            <input
              type="checkbox"
              checked={columns.has(column)}
              onChange={({ target }) =>
                setColumns(new Set(target.checked ? [...columns, column] : [...columns].filter((each) => each !== column)))
              }
            />
            <code>{column}</code>
          </label>
        ))}
      </fieldset>
      <label className="check">
        <input type="checkbox" checked={bom} disabled={running} onChange={({ target }) => setBom(target.checked)} />
        {says.beginWithByte}
      </label>
      <Progress state={state} />
    </Dialog>
  );
}

function RowCount({ count, more }: { count: number; more: boolean }) {
  const says = useWords(EXPORT_DIALOG);
  return (
    <strong>
      {more ? says.moreThan : ""}
      {count.toLocaleString("en")} {count === 1 ? says.row : says.rows}.
    </strong>
  );
}

function Progress({ state }: { state: ReturnType<typeof useExport>["state"] }) {
  const says = useWords(EXPORT_DIALOG);
  const number = (value: number) => value.toLocaleString("en");
  if (state.kind === "idle") return null;
  if (state.kind === "failed") return <Trouble error={state.error} compact />;
  if (state.kind === "aborted") return <p role="status">{says.abortedAfterRows(number(state.rows))}</p>;
  if (state.kind === "done") return <p role="status">{says.doneRowsYour(number(state.rows))}</p>;
  return (
    <div>
      <progress className="progress" aria-label={says.rowsWritten} value={state.rows} max={Math.max(1, state.total)} />
      <p role="status">{says.rows2(number(state.rows), number(state.total))}</p>
    </div>
  );
}
