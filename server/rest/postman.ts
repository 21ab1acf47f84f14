import { postmanCollection } from "#contract/postman.ts";
import { documentFilesOf, OPENAPI_DOCUMENTS } from "./openapi.ts";
import type { SurfaceSettings } from "./surface-context.ts";

let written: string | null = null;

/** A Postman collection generated from the service's API documents. It changes only with the code, so it is generated once per process. */
export function answerPostman(about: Pick<SurfaceSettings, "baseUrl" | "brand" | "mode">): Response {
  written ??= JSON.stringify(
    postmanCollection(
      documentFilesOf(about.mode).map((file) => JSON.parse(JSON.stringify(OPENAPI_DOCUMENTS[file]?.(about)))),
      about,
    ),
  );
  const headers = {
    "content-type": "application/json",
    "content-disposition": 'inline; filename="settlement-service.postman_collection.json"',
    "cache-control": "public, max-age=300",
  };
  return new Response(written, { headers });
}
