import { newId } from "#domain/ids.ts";
import { ClientGone, type RawRequest, type RawResponse, splitTarget } from "./raw-request.ts";
import { REGISTRY } from "./registry.ts";
import { handle, type Surface } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

type RouteHandler = (request: Request) => Promise<Response>;
type RouteHandlers = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RouteHandler>>;

/**
 * A surface as handlers of one of Next's catch-all routes. In production the front door answers before Next does, from the same registry.
 * These answer where only Next runs or in development, as far as Next reveals what was sent (docs/decisions/front-door.md).
 */
export function routeHandlers(name: Surface["name"], openSurfaceContext: () => SurfaceContext): RouteHandlers {
  const { surface, bindings } = REGISTRY[name];
  const answer: RouteHandler = async (request) => toResponse(await handle(surface, openSurfaceContext(), bindings, toRaw(request)));
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: answer };
}

/** Next does not expose the socket: the caller has no address, so no allow-list matches. */
function toRaw(request: Request): RawRequest {
  const target = request.url.slice(new URL(request.url).origin.length);
  return {
    requestId: newId("request", new Date()),
    method: request.method,
    ...splitTarget(target),
    headers: new Map([...request.headers].map(([name, value]) => [name, [value]])),
    remoteAddress: "",
    arrivedAt: performance.now(),
    readBody: (limitBytes) => readBody(request, limitBytes),
    whenGone: (then) => request.signal.addEventListener("abort", then),
  };
}

/** @throws ClientGone. */
async function readBody({ headers, body }: Request, limitBytes: number): Promise<Uint8Array | "too_large"> {
  if (Number(headers.get("content-length") ?? 0) > limitBytes) return "too_large";
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > limitBytes) return "too_large";
      chunks.push(chunk);
    }
  } catch {
    throw new ClientGone("the request ended early");
  }
  return Buffer.concat(chunks);
}

function toResponse({ status, headers, body }: RawResponse): Response {
  if (status === 204 || body === null) return new Response(null, { status, headers });
  return new Response(body, { status, headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) } });
}
