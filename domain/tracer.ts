/** How work is noted in traces: what engines are handed, and what fulfils it stands in `server/observe/trace.ts`. */

export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type SpanAbout<Result> = {
  /** The stored `traceparent` of what the work belongs to; null: it has none, and the work no span. `begins`: a trace of its own. */
  within: string | null | undefined;
  /** `client`: somebody else is asked. */
  kind?: "client" | "internal";
  /** Ids, counts and words of ours; never a secret, never what a stranger wrote. */
  attributes?: SpanAttributes;
  /** A word for what went wrong where nothing was thrown; null: nothing. */
  failureOf?: (result: Result) => string | null;
};
/** Notes work as spans of the trace that it belongs to. Never throws by itself, never waits. */
export type Tracer = {
  span<Result>(name: string, about: SpanAbout<Result>, work: () => Promise<Result>): Promise<Result>;
  /** Adds to the span under way. */
  set(attributes: SpanAttributes): void;
  /** What is sent along as `traceparent` to whoever is asked; null: nothing. */
  place(): string | null;
};
/** Nothing is traced. */
export const NO_TRACER: Tracer = { span: (_name, _about, work) => work(), set: () => {}, place: () => null };
