import { markdownOf } from "../../_markdown/pages.ts";

export const dynamic = "force-dynamic";

/**
 * A page of the documentation as Markdown. It is requested as `/docs/signing.md`, which next.config.mjs rewrites, or by `Accept` at the
 * page's own URL. The latter is not cacheable, because a shared cache would show it to browsers.
 */
export async function GET(request: Request, { params }: { params: Promise<{ page?: string[] }> }): Promise<Response> {
  const { page = [] } = await params;
  const text = await markdownOf(["/docs", ...page].join("/"));
  const isNegotiated = request.headers.get("accept")?.includes("text/markdown") ?? false;
  const headers = {
    "content-type": "text/markdown; charset=utf-8",
    "cache-control": isNegotiated ? "private, no-store" : "public, max-age=300",
    vary: "Accept",
  };
  return text === null ? new Response("There is no such page.\n", { status: 404, headers }) : new Response(text, { headers });
}
