import { useRef, useState } from "react";
import { type PaymentColumn, type PaymentRow, partsOf, type RowFault, repeatedReferences } from "#domain/payment-file.ts";
import type { Answers } from "#server/console/router.ts";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { sumTotals, type Total } from "./sum-totals.ts";

/** A file in the browser: its rows as they are now, what the service says of them, and the batches that they become. */
export type PaymentFile = { name: string; rows: readonly PaymentRow[] };
type Judgement = Answers["batches"]["judge"];
type Judged = { rows: readonly PaymentRow[]; keyId: string; name: string; answer: Judgement };
/** `done` of `of` rows. Null: nothing is under way. */
export type Progress = { what: "checking" | "creating"; done: number; of: number } | null;
export type Verdict = { faults: RowFault[]; totals: Total[]; made: number };

/** The parts are judged and made one after another. Both can be repeated: an unchanged part is neither judged nor made again. */
export function usePaymentFile() {
  const { batches } = useTRPCClient();
  const [file, setFile] = useState<PaymentFile | null>(null);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [progress, setProgress] = useState<Progress>(null);
  const known = useRef<Judged[]>([]);

  const begin = (next: PaymentFile | null) => {
    known.current = [];
    setVerdict(null);
    setFile(next);
  };
  const rename = (name: string) => {
    setVerdict(null);
    setFile((before) => before && { ...before, name });
  };
  /** What was said under one key does not hold under another. */
  const forget = () => setVerdict(null);
  const edit = (row: number, column: PaymentColumn, text: string) =>
    setFile((before) => before && { ...before, rows: before.rows.with(row, { ...(before.rows[row] as PaymentRow), [column]: text }) });

  /** @throws what a call throws: then nothing is known, and it may be tried again */
  const judge = async (keyId: string) => {
    if (file === null) return;
    const parts = partsOf(file.rows);
    try {
      for (const [part, rows] of parts.entries()) {
        setProgress({ what: "checking", done: startOf(parts, part), of: file.rows.length });
        const before = known.current[part];
        const same = before?.keyId === keyId && before.name === file.name && isSame(before.rows, rows);
        if (!same) {
          const answer = await batches.judge.mutate({ key_id: keyId, name: file.name, part, parts: parts.length, rows: [...rows] });
          known.current[part] = { rows, keyId, name: file.name, answer };
        }
      }
      setVerdict(verdictOf(file.rows, parts, known.current));
    } finally {
      setProgress(null);
    }
  };

  /** The ids of the batches, in the order of the rows; null: a row has become faulty meanwhile. @throws as {@link judge} */
  const create = async (keyId: string): Promise<string[] | null> => {
    if (file === null) return null;
    const parts = partsOf(file.rows);
    const ids: string[] = [];
    try {
      for (const [part, rows] of parts.entries()) {
        const from = startOf(parts, part);
        setProgress({ what: "creating", done: from, of: file.rows.length });
        const made = await batches.create.mutate({ key_id: keyId, name: file.name, part, parts: parts.length, rows: [...rows] });
        if (made.batch_id === null) {
          known.current = [];
          setVerdict({ faults: made.faults.map((fault) => ({ ...fault, row: from + fault.row })), totals: [], made: ids.length });
          return null;
        }
        ids.push(made.batch_id);
      }
      return ids;
    } finally {
      setProgress(null);
    }
  };
  return { file, verdict, progress, begin, rename, forget, edit, judge, create };
}

const startOf = (parts: readonly (readonly unknown[])[], part: number) => parts.slice(0, part).reduce((sum, rows) => sum + rows.length, 0);

function isSame(before: readonly PaymentRow[], now: readonly PaymentRow[]): boolean {
  return before.length === now.length && before.every((row, index) => row === now[index]);
}

function verdictOf(rows: readonly PaymentRow[], parts: readonly (readonly PaymentRow[])[], judged: readonly Judged[]): Verdict {
  const answers = judged.slice(0, parts.length).map(({ answer }) => answer);
  const found = answers.flatMap(({ faults }, part) => faults.map((fault) => ({ ...fault, row: startOf(parts, part) + fault.row })));
  const faults = [...repeatedReferences(rows), ...found];
  const places = new Map(faults.toReversed().map((fault) => [`${fault.row} ${fault.column}`, fault]));
  return {
    faults: [...places.values()].toSorted((left, right) => left.row - right.row),
    totals: sumTotals(answers.flatMap(({ totals }) => totals)),
    made: answers.filter(({ made }) => made !== null).length,
  };
}
