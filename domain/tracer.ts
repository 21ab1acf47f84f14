/** The engines' interface for tracing; the implementation is in `server/observe/trace.ts`. */

export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type SpanAbout<Result> = {
  /** The stored `traceparent` of the work's subject; null: it has none, and there is no span. `begins`: a new trace. */
  within: string | null | undefined;
  /** `client`: a call to another system. */
  kind?: "client" | "internal";
  /** Ids, counts and our own words; never a secret, never a stranger's text. */
  attributes?: SpanAttributes;
  /** A word for what went wrong where nothing was thrown; null: nothing. */
  failureOf?: (result: Result) => string | null;
};
/** Records work as spans of its trace. Never throws by itself, never waits. */
export type Tracer = {
  span<Result>(name: string, about: SpanAbout<Result>, work: () => Promise<Result>): Promise<Result>;
  /** Adds to the span under way. */
  set(attributes: SpanAttributes): void;
  /** The `traceparent` to send to the called system; null: none. */
  place(): string | null;
};
/** Nothing is traced. */
export const NO_TRACER: Tracer = { span: (_name, _about, work) => work(), set: () => {}, place: () => null };
