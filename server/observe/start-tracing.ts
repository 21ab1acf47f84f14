import { setTimeout as sleep } from "node:timers/promises";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TracePlace } from "#domain/trace.ts";
import type { SpanAttributes } from "#domain/tracer.ts";
import { redactText } from "./redact.ts";
import { beginTracing, type KeptSpan, type SpanKind as Kind, type TracingSettings } from "./trace.ts";

const KINDS: Record<Kind, SpanKind> = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** How long the collector may take; what it does not take then is lost, and nobody waits for it. */
const EXPORT_MS = 5_000;
/** How long the end of a process waits for the last of them. */
const FAREWELL_MS = 2_000;
/** How long a recorded span waits for a batch. */
const COLLECT_MS = 1_000;

/**
 * Starts tracing in this process, and returns a function that stops it after sending the last spans. Loaded only with a collector. Nothing
 * is registered with OpenTelemetry globally: libraries with their own spans (such as Next) add nothing here.
 */
export function startTracing(settings: TracingSettings, about: { kind: "web" | "worker"; instance: string }): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": settings.serviceName,
      "service.namespace": "settlement",
      "service.instance.id": about.instance,
      "settlement.process": about.kind,
    }),
    // Whether a trace is recorded was decided before its first span began.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: COLLECT_MS, exportTimeoutMillis: EXPORT_MS })],
  });
  const tracer = provider.getTracer("settlement-service");
  beginTracing({
    ratio: settings.ratio,
    trustsCallers: settings.trustsCallers,
    keep: (name, { kind, parent, links, attributes, startedAt }) => {
      const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
      const options = {
        kind: KINDS[kind],
        attributes: clean(attributes),
        links: links.map((place) => ({ context: contextOf(place) })),
        ...(startedAt === undefined ? {} : { startTime: startedAt }),
      };
      return kept(tracer.startSpan(name, options, context));
    },
  });
  return async () => {
    const over = provider.shutdown().catch(() => {});
    await Promise.race([over, sleep(FAREWELL_MS, undefined, { ref: false })]);
  };
}

function kept(span: ReturnType<ReturnType<TracerProvider["getTracer"]>["startSpan"]>): KeptSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    place: { traceId, spanId, sampled: true },
    name: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(clean(attributes)),
    link: (place) => void span.addLink({ context: contextOf(place) }),
    end: (failure) => {
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(failure) });
      span.end();
    },
  };
}

function contextOf({ traceId, spanId, sampled }: TracePlace) {
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

/** What goes to another company is looked through as a line of the log is. */
function clean(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const known = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, typeof value === "string" ? redactText(value) : (value ?? "")]));
}
