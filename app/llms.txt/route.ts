import { pageList } from "../docs/_markdown/pages.ts";

export const dynamic = "force-dynamic";

export function GET(): Response {
  return new Response(pageList(), { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=300" } });
}
