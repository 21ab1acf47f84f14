import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { readTraceparent, type TracePlace, writeTraceparent } from "#domain/trace.ts";
import type { SpanAbout, SpanAttributes, Tracer } from "#domain/tracer.ts";

/**
 * Traces without the packages that send them: until tracing starts (`start-tracing.ts`), each of these functions only reads a variable. The
 * front door and Next's bundle are two copies of this module in one process, and share its state.
 */
declare global {
  var settlementTracing: Tracing | undefined;
}

export type TracingSettings = {
  /** The collector's address, without a slash at its end; `/v1/traces` is added. */
  endpoint: string;
  /** Sent to the collector with each batch: they may let us in there. */
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** The share of recorded requests: 0 to 1. */
  ratio: number;
  /** Whether a caller's sampling flag counts. */
  trustsCallers: boolean;
};

export type SpanKind = "server" | "client" | "internal";
type Beginning = {
  kind: SpanKind;
  parent: TracePlace | null;
  links: readonly TracePlace[];
  attributes: SpanAttributes;
  startedAt?: number;
};

/** A recorded span, until it ends. */
export type KeptSpan = {
  place: TracePlace;
  name(name: string): void;
  set(attributes: SpanAttributes): void;
  link(place: TracePlace): void;
  /** `failure`: a word for what went wrong, never an error's text. */
  end(failure: string | null): void;
};

export type Tracing = {
  keep(name: string, beginning: Beginning): KeptSpan;
  spots: AsyncLocalStorage<Spot>;
} & Pick<TracingSettings, "ratio" | "trustsCallers">;

/** The position of the current work. */
type Spot = { place: TracePlace; span: KeptSpan | null; joined: { place: TracePlace; name: string }[] };

export function beginTracing(tracing: Omit<Tracing, "spots">): void {
  globalThis.settlementTracing = { ...tracing, spots: new AsyncLocalStorage() };
}

/** The position of the current work, as a `traceparent`; null: there is no trace. */
export function tracePlace(): string | null {
  const spot = globalThis.settlementTracing?.spots.getStore();
  return spot === undefined ? null : writeTraceparent(spot.place);
}

/** The id of the trace of the current work, recorded or not. */
export function traceId(): string | null {
  return globalThis.settlementTracing?.spots.getStore()?.place.traceId ?? null;
}

/** How a request ended, for its span. */
export type RequestEnd = { name: string; attributes: SpanAttributes; failure: string | null };

/**
 * Answers a request as a span of its caller's trace, or of a new one. We decide whether it is recorded: a caller could otherwise have every
 * request recorded.
 */
export async function traceRequest<Answer>(
  traceparent: string | null,
  answer: () => Promise<Answer>,
  endOf: (answer: Answer) => RequestEnd,
): Promise<Answer> {
  const tracing = globalThis.settlementTracing;
  if (tracing === undefined) return await answer();
  const parent = readTraceparent(traceparent);
  const sampled = parent !== null && tracing.trustsCallers ? parent.sampled : Math.random() < tracing.ratio;
  const startedAt = Date.now();
  const span = sampled ? tracing.keep("request", { kind: "server", parent, links: [], attributes: {}, startedAt }) : null;
  const place = span?.place ?? { traceId: parent?.traceId ?? newId(32), spanId: newId(16), sampled: false };
  const spot: Spot = { place, span, joined: [] };
  return await tracing.spots.run(spot, async () => {
    try {
      const answered = await answer();
      const { name, attributes, failure } = endOf(answered);
      span?.name(name);
      span?.set(attributes);
      if (failure === null) logJoined(tracing, spot, { attributes, startedAt });
      span?.end(failure);
      return answered;
    } catch (error) {
      span?.end("threw");
      throw error;
    }
  });
}

/** The current request has moved an object with its own trace: if it succeeds, a span is added there too, and both link to each other. */
export function joinTrace(stored: string | null | undefined, name: string): void {
  const spot = globalThis.settlementTracing?.spots.getStore();
  const place = spot && readTraceparent(stored ?? null);
  if (place && place.traceId !== spot.place.traceId) spot.joined.push({ place, name });
}

function logJoined(tracing: Tracing, spot: Spot, joined: { attributes: SpanAttributes; startedAt: number }): void {
  for (const { place, name } of spot.joined) {
    spot.span?.link(place);
    if (place.sampled) tracing.keep(name, { kind: "internal", parent: place, links: [spot.place], ...joined }).end(null);
  }
}

/** The engines' tracer. Work without a trace runs as if there were no tracing. */
export const tracer: Tracer = {
  place: tracePlace,
  async span<Result>(
    name: string,
    { within, kind = "internal", attributes = {}, failureOf }: SpanAbout<Result>,
    work: () => Promise<Result>,
  ) {
    const tracing = globalThis.settlementTracing;
    if (tracing === undefined) return await work();
    const parent = readTraceparent(within ?? null);
    if (parent === null && within !== "begins") return await work();
    const isKept = parent === null ? Math.random() < tracing.ratio : parent.sampled;
    const span = isKept ? tracing.keep(name, { kind, parent, links: [], attributes }) : null;
    const place = span?.place ?? parent ?? { traceId: newId(32), spanId: newId(16), sampled: false };
    return await tracing.spots.run({ place, span, joined: [] }, async () => {
      try {
        const result = await work();
        span?.end(failureOf?.(result) ?? null);
        return result;
      } catch (error) {
        span?.end(error instanceof Error ? error.name : "threw");
        throw error;
      }
    });
  },
  set(attributes) {
    globalThis.settlementTracing?.spots.getStore()?.span?.set(attributes);
  },
};

function newId(digits: 16 | 32): string {
  // From its end: the digits before contain the version.
  return randomUUID().replaceAll("-", "").slice(-digits);
}
