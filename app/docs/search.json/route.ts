import { searchIndex } from "../_markdown/pages.ts";

export const dynamic = "force-dynamic";

/** The index of the documentation's search, loaded when somebody starts to search. */
export async function GET(): Promise<Response> {
  return Response.json(await searchIndex(), { headers: { "cache-control": "public, max-age=300" } });
}
