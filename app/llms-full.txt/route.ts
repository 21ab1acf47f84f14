import { wholeMarkdown } from "../docs/_markdown/pages.ts";

export const dynamic = "force-dynamic";

export async function GET(): Promise<Response> {
  return new Response(await wholeMarkdown(), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=300" },
  });
}
