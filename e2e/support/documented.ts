import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Examples } from "#contract/documented-surface.ts";
import { eventSchema } from "#contract/settlement/v1/events.ts";
import { type Answer, type Outgoing, watchExchanges } from "#sandbox/client/exchange.ts";
import { type Delivery, watchDeliveries } from "#sandbox/client/receiver.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { OPENAPI_DOCUMENTS } from "#server/rest/openapi.ts";
import { eventOf, type Found, openConformance } from "#testing/conformance.ts";

/** Validates every answer to a story, and every callback, against the published OpenAPI documents. */
export function holdToDocuments(baseUrl: string): void {
  const documents = Object.entries(OPENAPI_DOCUMENTS).map(([file, make]) => [file, make({ baseUrl, brand: BRAND })] as const);
  const conformance = openConformance(Object.fromEntries(documents));
  const recorder = process.env.RECORD_EXAMPLES === undefined ? null : openRecorder(process.env.RECORD_EXAMPLES);
  watchExchanges((outgoing, answer) => {
    const exchanged = { ...outgoing, ...answer, request: outgoing.body?.toString(), body: answer.text };
    refuse(conformance.judge(exchanged));
    recorder?.answered(conformance.find(exchanged), outgoing, answer);
  });
  watchDeliveries(({ headers, body }: Delivery) => {
    if (headers["webhook-id"] === undefined) return;
    const text = body.toString("utf8");
    // An event for a destination: its schema is the one of its GET.
    if (String(headers["webhook-id"]).startsWith("ev_")) return void eventSchema.parse(JSON.parse(text));
    refuse(conformance.judgeCallback(eventOf(text), text));
    recorder?.delivered(eventOf(text), text);
  });
}

function refuse(amiss: readonly string[]): void {
  if (amiss.length > 0) throw new Error(`Not as the OpenAPI document says:\n${amiss.join("\n")}`);
}

type Recorded = { -readonly [Part in keyof Examples]: Record<string, unknown> };
const SURFACES = ["settlement", "partner", "sandbox"] as const;

/** Keeps the first answer of each operation and status, the first error of each code and the first callback of each event: `scripts/openapi.ts`. */
function openRecorder(file: string) {
  const none = (): Recorded => ({ requests: {}, queries: {}, answers: {}, errors: {}, webhooks: {} });
  const kept: Record<string, Recorded> = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : Object.fromEntries(SURFACES.map((surface) => [surface, none()]));
  const keep = (at: Record<string, unknown>, name: string, value: unknown) => {
    if (Object.hasOwn(at, name)) return;
    at[name] = value;
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  };
  return {
    answered(found: Found | null, { body, target }: Outgoing, { status, text }: Answer) {
      const of = kept[found?.file.replace(".json", "") ?? ""];
      if (found === null || of === undefined || text === "") return;
      const payload = JSON.parse(text);
      if (status >= 400) return keep(of.errors, payload.code ?? "validation_failed", payload);
      of.answers[found.id] ??= {};
      keep(Object(of.answers[found.id]), String(status), payload);
      const query = Object.fromEntries(new URLSearchParams(target.split("?")[1] ?? ""));
      if (Object.keys(query).length > 0) keep(of.queries, found.id, query);
      if (found.request !== null && body && found.id !== "echo") keep(of.requests, found.id, JSON.parse(body.toString()));
    },
    delivered(event: string, text: string) {
      const of = kept[event.startsWith("settlement.") ? "settlement" : "partner"];
      if (of !== undefined) keep(of.webhooks, event, JSON.parse(text));
    },
  };
}
