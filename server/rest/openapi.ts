import { openApiDocument } from "#contract/openapi.ts";
import { partnerDocument } from "#contract/partner/document.ts";
import { settlementDocument } from "#contract/settlement/v1/document.ts";
import { settlementSchema } from "#contract/settlement/v1/settlement.ts";
import type { SurfaceSettings } from "./door.ts";
import { operationsOf } from "./registry.ts";

type About = Pick<SurfaceSettings, "baseUrl" | "brand">;

/** The OpenAPI 3.1 documents, by the file name under `/openapi`. */
export const OPENAPI_DOCUMENTS: Readonly<Record<string, (about: About) => object>> = {
  "settlement.json": ({ baseUrl, brand }) => openApiDocument(settlementDocument(brand, operationsOf("settlement")), baseUrl),
  "partner.json": ({ baseUrl }) => openApiDocument(partnerDocument(operationsOf("partner"), { Settlement: settlementSchema }), baseUrl),
};

/** They change with the code alone, so each is written once a process. */
const written = new Map<string, string>();

/** `GET /openapi/{file}`: for everybody; 404 for what is no document. */
export function answerOpenApi(file: string, about: About): Response {
  const document = Object.hasOwn(OPENAPI_DOCUMENTS, file) ? OPENAPI_DOCUMENTS[file] : undefined;
  if (document === undefined) return Response.json({ error: "there is no such document" }, { status: 404 });
  const text = written.get(file) ?? JSON.stringify(document(about), null, 2);
  written.set(file, text);
  return new Response(text, { headers: { "content-type": "application/json", "cache-control": "public, max-age=300" } });
}
