import { z } from "zod";
import { openReceiver } from "./stage/receiver.ts";

/** A collector of traces on 127.0.0.1, which accepts OTLP over HTTP as JSON and stores it. */

const attribute = z.object({
  key: z.string(),
  value: z.looseObject({
    stringValue: z.string().optional(),
    intValue: z.union([z.number(), z.string()]).optional(),
    doubleValue: z.number().optional(),
    boolValue: z.boolean().optional(),
  }),
});
const attributes = z.array(attribute).default([]);
const export_ = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes,
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
              status: z.object({ code: z.number().optional(), message: z.string().optional() }).default({}),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = {
  process: unknown;
  service: unknown;
  traceId: string;
  spanId: string;
  parent: string | null;
  name: string;
  /** As OpenTelemetry counts: 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  failure: string | null;
};

export async function openOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const receiver = await openReceiver((request, response) => {
    spans.push(...read(request.body));
    response.setHeader("content-type", "application/json");
    response.end("{}");
  });
  return { ...receiver, spans };
}

function read(body: string): ReceivedSpan[] {
  return export_.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const about = named(resource.attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, links, status, ...span }) => ({
        process: about["settlement.process"],
        service: about["service.name"],
        traceId,
        spanId,
        parent: parentSpanId || null,
        name,
        kind,
        links,
        attributes: named(span.attributes),
        failure: status.code === 2 ? (status.message ?? "") : null,
      })),
    );
  });
}

function named(list: z.infer<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
}
