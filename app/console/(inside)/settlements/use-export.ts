import { useEffect, useRef, useState } from "react";
import { download } from "../../_format/download.ts";
import { CallRefused, type RefusalShown } from "../../_trpc/refusal.ts";

export type ExportState =
  | { kind: "idle" }
  | { kind: "running" | "aborted" | "done"; rows: number; total: number }
  | { kind: "failed"; error: unknown };

const LINE_END = 10;
const QUOTE = 34;
const SHOW_EVERY_MS = 100;

/** Reads the file while the server writes it, counts its rows, and saves it once complete. An abort also ends it on the server. */
export function useExport() {
  const [state, setState] = useState<ExportState>({ kind: "idle" });
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const start = async (asked: object) => {
    const aborter = new AbortController();
    control.current = aborter;
    const progress = { rows: 0, total: 0 };
    setState({ kind: "running", ...progress });
    try {
      const address = `/console/settlements/export?${new URLSearchParams({ input: JSON.stringify(asked) })}`;
      const answer = await fetch(address, { signal: aborter.signal });
      if (!answer.ok || answer.body === null) throw await refusalIn(answer);
      progress.total = Number(answer.headers.get("x-row-count"));
      const chunks = await readRows(answer.body, (rows) => {
        progress.rows = rows;
        setState({ kind: "running", ...progress });
      });
      download(nameIn(answer), chunks, "text/csv");
      setState({ kind: "done", ...progress });
    } catch (error) {
      setState(aborter.signal.aborted ? { kind: "aborted", ...progress } : { kind: "failed", error });
    }
  };
  return { state, start: (asked: object) => void start(asked), abort: () => control.current?.abort() };
}

/** Line ends within quotes belong to a field, and the header is not a row. */
async function readRows(body: ReadableStream<Uint8Array<ArrayBuffer>>, report: (rows: number) => void): Promise<BlobPart[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  let quoted = false;
  let reported = 0;
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    for (const byte of value) {
      if (byte === QUOTE) quoted = !quoted;
      else if (byte === LINE_END && !quoted) lines += 1;
    }
    if (performance.now() - reported < SHOW_EVERY_MS) continue;
    reported = performance.now();
    report(Math.max(0, lines - 1));
  }
  report(Math.max(0, lines - 1));
  return chunks;
}

async function refusalIn(answer: Response): Promise<unknown> {
  const body: { refusal?: RefusalShown } | null = await answer.json().catch(() => null);
  return body?.refusal ? new CallRefused(body.refusal) : new Error(`status ${answer.status}`);
}

function nameIn(answer: Response): string {
  return /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "settlements.csv";
}
