import { atomFeed } from "../../_content/changelog.ts";
import { readSite } from "../../_parts/site.ts";

export const dynamic = "force-dynamic";

/** The changelog for feed readers. */
export function GET(): Response {
  const headers = { "content-type": "application/atom+xml; charset=utf-8", "cache-control": "public, max-age=300" };
  return new Response(atomFeed(readSite().baseUrl), { headers });
}
