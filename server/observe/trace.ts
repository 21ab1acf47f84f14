import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { readTraceparent, type TracePlace, writeTraceparent } from "#domain/trace.ts";
import type { SpanAbout, SpanAttributes, Tracer } from "#domain/tracer.ts";

/**
 * Traces without the packages that send them: while nobody has begun tracing (`start-tracing.ts`), each of these is one look at a
 * variable. The front door and the bundle that Next builds are two copies of this module in one process, and share what is there.
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
  /** Of how many requests a trace is kept: 0 to 1. */
  ratio: number;
  /** Whether a caller's word that a trace is kept counts. */
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

/** A span that is kept, until it is over. */
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

/** Where the work under way stands. */
type Spot = { place: TracePlace; span: KeptSpan | null; joined: { place: TracePlace; name: string }[] };

export function beginTracing(tracing: Omit<Tracing, "spots">): void {
  globalThis.settlementTracing = { ...tracing, spots: new AsyncLocalStorage() };
}

/** Where the work under way stands, as a `traceparent`; null: nothing is traced. */
export function tracePlace(): string | null {
  const spot = globalThis.settlementTracing?.spots.getStore();
  return spot === undefined ? null : writeTraceparent(spot.place);
}

/** The id of the trace that the work under way belongs to, kept or not. */
export function traceId(): string | null {
  return globalThis.settlementTracing?.spots.getStore()?.place.traceId ?? null;
}

/** How a request ended, as its span tells it. */
export type RequestEnd = { name: string; attributes: SpanAttributes; failure: string | null };

/**
 * Answers a request as a span of its caller's trace, or of a new one. Whether it is kept is ours to say: a caller who could, would have
 * every request of its kept.
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

/**
 * The request under way has moved something that has a trace of its own: if it is answered well, a span stands there too, each with a
 * link to the other.
 */
export function joinTrace(stored: string | null | undefined, name: string): void {
  const spot = globalThis.settlementTracing?.spots.getStore();
  const place = spot && readTraceparent(stored ?? null);
  if (place && place.traceId !== spot.place.traceId) spot.joined.push({ place, name });
}

function logJoined(tracing: Tracing, spot: Spot, told: { attributes: SpanAttributes; startedAt: number }): void {
  for (const { place, name } of spot.joined) {
    spot.span?.link(place);
    if (place.sampled) tracing.keep(name, { kind: "internal", parent: place, links: [spot.place], ...told }).end(null);
  }
}

/** What engines note their work with. Work that belongs to nobody's trace is done as if there were none. */
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
  // From its end: the digits before hold the version.
  return randomUUID().replaceAll("-", "").slice(-digits);
}
