import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EXPORT_COLUMNS, type ExportColumn } from "#domain/settlement-view.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { ErrorState } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { filterOf, type ListParams } from "./search-params.ts";
import { useExport } from "./use-export.ts";
import { EXPORT_DIALOG } from "./words.ts";

type ExportDialogProps = {
  params: ListParams;
  /** Only these, instead of all that match the filter. */
  txIds: readonly string[] | null;
  isOperator: boolean;
  /** The filter in words. */
  words: readonly string[];
  onClose: () => void;
};

/** Describes the file before it is made, and shows its progress. */
export function ExportDialog({ params, txIds, isOperator, words, onClose }: ExportDialogProps) {
  const t = useTranslations(EXPORT_DIALOG);
  const trpc = useTRPC();
  const size = useQuery(trpc.settlements.exportSize.queryOptions(filterOf(params), { staleTime: 0, enabled: txIds === null }));
  const offered = EXPORT_COLUMNS.filter((column) => isOperator || column !== "partner");
  const [columns, setColumns] = useState<ReadonlySet<ExportColumn>>(new Set(offered));
  const [zone, setZone] = useState("UTC");
  const [bom, setBom] = useState(false);
  const { state, start, abort } = useExport();
  const running = state.kind === "running";
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(["UTC", ownZone])].map((value) => ({ value, label: value === "UTC" ? "UTC" : t.browserZone(value) }));
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
      title={t.title}
      width="wide"
      actions={
        <>
          {running ? <Button onClick={abort}>{t.abort}</Button> : <Button onClick={onClose}>{t.close}</Button>}
          <Button look="primary" pending={running} disabled={columns.size === 0} onClick={begin}>
            {t.download}
          </Button>
        </>
      }
    >
      <p>
        {txIds ? t.selectedOnly(txIds.length) : words.length === 0 ? t.all : t.filtered(words.join(", "))}{" "}
        {txIds === null && (size.data ? <RowCount {...size.data} /> : size.error ? null : t.counting)}
      </p>
      {size.error && <ErrorState error={size.error} compact />}
      <Select label={t.timesIn} value={zone} choices={zones} disabled={running} onChange={({ target }) => setZone(target.value)} />
      <fieldset className="export-columns" disabled={running}>
        <legend className="field-label">{t.columns}</legend>
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
        {t.byteOrderMark}
      </label>
      <Progress state={state} />
    </Dialog>
  );
}

function RowCount({ count, more }: { count: number; more: boolean }) {
  const t = useTranslations(EXPORT_DIALOG);
  return (
    <strong>
      {more ? t.moreThan : ""}
      {t.format.count(count)} {count === 1 ? t.row : t.rows}.
    </strong>
  );
}

function Progress({ state }: { state: ReturnType<typeof useExport>["state"] }) {
  const t = useTranslations(EXPORT_DIALOG);
  const number = (value: number) => t.format.count(value);
  if (state.kind === "idle") return null;
  if (state.kind === "failed") return <ErrorState error={state.error} compact />;
  if (state.kind === "aborted") return <p role="status">{t.aborted(number(state.rows))}</p>;
  if (state.kind === "done") return <p role="status">{t.done(number(state.rows))}</p>;
  return (
    <div>
      <progress className="progress" aria-label={t.progress} value={state.rows} max={Math.max(1, state.total)} />
      <p role="status">{t.written(number(state.rows), number(state.total))}</p>
    </div>
  );
}
