import { searchIndex } from "../_markdown/pages.ts";

export const dynamic = "force-dynamic";

/** What the documentation's search looks into; a page loads it when somebody begins to search. */
export async function GET(): Promise<Response> {
  return Response.json(await searchIndex(), { headers: { "cache-control": "public, max-age=300" } });
}
