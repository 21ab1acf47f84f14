import { type getFetch, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { LAPSES_HEADER } from "#contract/lapse.ts";
import type { AppRouter } from "#server/console/router.ts";
import { describeNoAnswer, NoAnswer } from "./no-answer.ts";
import { refusalOf } from "./refusal.ts";
import { noticeSignedOut } from "./signed-out.ts";

/** After this time a page says that no answer came, and offers to retry. */
const READ_MS = 7_000;
/** After this time an action's outcome counts as unknown, and the page looks it up. */
const ACT_MS = 5_000;
/** Instants in answers are whole seconds, and the answer takes time to arrive. */
const LEEWAY_MS = 1_500;

/** How far the server's clock is ahead of the browser's, according to its last answer. */
let serverAhead: number | null = null;

/** For the few calls that may take longer: `mutationOptions({ trpc: { context: patience(40_000) } })`. */
export function patience(ms: number): { patienceMs: number } {
  return { patienceMs: ms };
}

type Operation = { type: "query" | "mutation" | "subscription"; context: Record<string, unknown> };

function patienceOf({ type, context }: Operation): number {
  const own = context.patienceMs;
  return typeof own === "number" ? own : type === "mutation" ? ACT_MS : READ_MS;
}

/** No call waits for ever or goes out later: each ends within some seconds, with an answer or an error. */
export const deadlineLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type === "subscription") return next(op);
    return observable((observer) => {
      const deadline = new AbortController();
      const wasOnline = navigator.onLine;
      const fail = (cause: unknown) => {
        const isAnswer = cause instanceof TRPCClientError && refusalOf(cause) !== null;
        const error = isAnswer ? cause : TRPCClientError.from<AppRouter>(new NoAnswer(wasOnline || navigator.onLine, { cause }));
        noticeSignedOut(error);
        // The caller learns of it first.
        if (op.type === "mutation" && !isAnswer) setTimeout(describeNoAnswer, 0, error);
        observer.error(error);
      };
      const timer = setTimeout(() => {
        fail(new Error("the deadline has passed"));
        deadline.abort();
      }, patienceOf(op));
      const signal = op.signal ? AbortSignal.any([op.signal, deadline.signal]) : deadline.signal;
      const asked = next({ ...op, signal }).subscribe({
        next: (result) => observer.next(result),
        error: (error) => !deadline.signal.aborted && fail(error),
        complete: () => observer.complete(),
      });
      return () => {
        clearTimeout(timer);
        asked.unsubscribe();
      };
    });
  };

/** The deadline by which the server may begin, by its own clock: a delayed request is not executed when nobody expects it any more. */
export function lapseHeaders(mutation: Operation): Record<string, string> {
  if (serverAhead === null) return {};
  const last = Date.now() + serverAhead + patienceOf(mutation) + LEEWAY_MS;
  return { [LAPSES_HEADER]: new Date(last).toISOString() };
}

type FetchEsque = ReturnType<typeof getFetch>;

/** `fetch` that records the server's time. */
export async function fetchAndReadTime(...[input, init]: Parameters<FetchEsque>): Promise<Response> {
  const { body, headers, method, signal } = init ?? {};
  const response = await fetch(input, { body: body ?? null, method: method ?? "GET", signal: signal ?? null, ...(headers && { headers }) });
  const serverTime = Date.parse(response.headers.get("date") ?? "");
  if (!Number.isNaN(serverTime)) serverAhead = serverTime - Date.now();
  return response;
}
