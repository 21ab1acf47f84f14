import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EXPORT_COLUMNS, type ExportColumn } from "#domain/settlement-view.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { filterOf, type ListParams } from "./search-params.ts";
import { useExport } from "./use-export.ts";

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
  const trpc = useTRPC();
  const size = useQuery(trpc.settlements.exportSize.queryOptions(filterOf(params), { staleTime: 0, enabled: txIds === null }));
  const offered = EXPORT_COLUMNS.filter((column) => isOperator || column !== "partner");
  const [columns, setColumns] = useState<ReadonlySet<ExportColumn>>(new Set(offered));
  const [zone, setZone] = useState("UTC");
  const [bom, setBom] = useState(false);
  const { state, start, abort } = useExport();
  const running = state.kind === "running";
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(["UTC", ownZone])].map((value) => ({ value, label: value === "UTC" ? "UTC" : `${value} (this browser's)` }));
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
      title="Export settlements"
      width="wide"
      actions={
        <>
          {running ? <Button onClick={abort}>Abort</Button> : <Button onClick={onClose}>Close</Button>}
          <Button look="primary" pending={running} disabled={columns.size === 0} onClick={begin}>
            Download CSV
          </Button>
        </>
      }
    >
      <p>
        {txIds ? `The ${txIds.length} selected.` : words.length === 0 ? "Every settlement." : `Only: ${words.join(", ")}.`}{" "}
        {txIds === null && (size.data ? <RowCount {...size.data} /> : size.error ? null : "Counting…")}
      </p>
      {size.error && <Trouble error={size.error} compact />}
      <Select label="Times in" value={zone} choices={zones} disabled={running} onChange={({ target }) => setZone(target.value)} />
      <fieldset className="export-columns" disabled={running}>
        <legend className="field-label">Columns</legend>
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
        Begin with a byte order mark (for Excel)
      </label>
      <Progress state={state} />
    </Dialog>
  );
}

function RowCount({ count, more }: { count: number; more: boolean }) {
  return (
    <strong>
      {more ? "More than " : ""}
      {count.toLocaleString("en")} {count === 1 ? "row" : "rows"}.
    </strong>
  );
}

function Progress({ state }: { state: ReturnType<typeof useExport>["state"] }) {
  const number = (value: number) => value.toLocaleString("en");
  if (state.kind === "idle") return null;
  if (state.kind === "failed") return <Trouble error={state.error} compact />;
  if (state.kind === "aborted") return <p role="status">Aborted after {number(state.rows)} rows; nothing was saved.</p>;
  if (state.kind === "done") return <p role="status">Done: {number(state.rows)} rows are in your downloads.</p>;
  return (
    <div>
      <progress className="progress" aria-label="Rows written" value={state.rows} max={Math.max(1, state.total)} />
      <p role="status">
        {number(state.rows)} of {number(state.total)} rows
      </p>
    </div>
  );
}
