import { stringify } from "yaml";
import { asyncApiDocument, type EventData } from "#contract/asyncapi.ts";
import type { Examples } from "#contract/documented-surface.ts";
import { openApiDocument } from "#contract/openapi.ts";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { partnerDocument, sandboxDocument } from "#contract/partner/document.ts";
import { topupRequestResponseSchema, withdrawRequestResponseSchema } from "#contract/partner/fiat.ts";
import { memberSchema } from "#contract/partner/member.ts";
import { batchSchema } from "#contract/settlement/v1/batches.ts";
import { callbackSchema } from "#contract/settlement/v1/callbacks.ts";
import { settlementDocument } from "#contract/settlement/v1/document.ts";
import { destinationSchema } from "#contract/settlement/v1/event-destinations.ts";
import { settlementSchema } from "#contract/settlement/v1/settlement.ts";
import { operationsOf } from "./registry.ts";
import type { SurfaceSettings } from "./surface-context.ts";

type About = Pick<SurfaceSettings, "baseUrl" | "brand" | "mode">;

const examples: Record<"settlement" | "partner" | "sandbox", Examples> = recorded;

/** The OpenAPI 3.1 documents, by the file name under `/openapi`. */
export const OPENAPI_DOCUMENTS: Readonly<Record<string, (about: Omit<About, "mode">) => object>> = {
  "settlement.json": (about) =>
    openApiDocument(
      settlementDocument(about.brand, [...operationsOf("settlement"), ...operationsOf("system")]),
      about,
      examples.settlement,
    ),
  "partner.json": (about) =>
    openApiDocument(partnerDocument(operationsOf("partner"), { Settlement: settlementSchema }), about, examples.partner),
  "sandbox.json": (about) => openApiDocument(sandboxDocument(operationsOf("sandbox")), about, examples.sandbox),
};
/** Operations that live mode does not have. */
const SANDBOX_ONLY = ["sandbox.json"];

/** The documents of that mode. */
export function documentFilesOf(mode: About["mode"]): string[] {
  return Object.keys(OPENAPI_DOCUMENTS).filter((file) => mode === "sandbox" || !SANDBOX_ONLY.includes(file));
}

/** What the data of events is: what the GET of the object answers. */
const EVENT_DATA: EventData = {
  settlement: { name: "Settlement", schema: settlementSchema },
  batch: { name: "Batch", schema: batchSchema },
  withdrawal: { name: "Withdrawal", schema: withdrawRequestResponseSchema },
  topup: { name: "Topup", schema: topupRequestResponseSchema },
  member: { name: "Member", schema: memberSchema },
  callback: { name: "Callback", schema: callbackSchema },
  destination: { name: "EventDestination", schema: destinationSchema },
};

/** They change only with the code, so each is generated once per process. */
const written = new Map<string, string>();

/** `GET /openapi/{file}`, as JSON or, with the ending `.yaml`, as YAML: for everybody; 404 for anything else. */
export function answerOpenApi(file: string, about: About): Response {
  const source = file.replace(/yaml$/, "json");
  return answerDocument(file, documentFilesOf(about.mode).includes(source) ? OPENAPI_DOCUMENTS[source] : undefined, about);
}

/** `GET /asyncapi/events.json` and `.yaml`: the events and where they are sent, for everybody. */
export function answerAsyncApi(file: string, about: About): Response {
  const document = (about: Omit<About, "mode">) => asyncApiDocument(about, EVENT_DATA);
  return answerDocument(file, /^events\.(?:json|yaml)$/.test(file) ? document : undefined, about);
}

function answerDocument(file: string, document: ((about: Omit<About, "mode">) => object) | undefined, about: About): Response {
  if (document === undefined) return Response.json({ error: "there is no such document" }, { status: 404 });
  const isYaml = file.endsWith(".yaml");
  const json = writeOnce(file.replace(/yaml$/, "json"), () => JSON.stringify(document(about), null, 2));
  const text = isYaml ? writeOnce(file, () => toYaml(json)) : json;
  const type = isYaml ? "application/yaml" : "application/json";
  return new Response(text, { headers: { "content-type": type, "cache-control": "public, max-age=300" } });
}

function writeOnce(file: string, write: () => string): string {
  const text = written.get(file) ?? write();
  written.set(file, text);
  return text;
}

/** For readers of YAML 1.2 and of 1.1 alike: what either would take for a date, a number or a truth is quoted. */
function toYaml(json: string): string {
  return stringify(JSON.parse(json), { version: "1.1", lineWidth: 0 });
}
