import { Refusal } from "#domain/refusal.ts";
import type { Binding } from "./bind.ts";
import type { Door } from "./door.ts";
import { EXCHANGE_HEADER, exchanges } from "./exchange.ts";
import { type Anybody, openSurface } from "./open-surface.ts";
import type { SurfaceCaller } from "./partner-callers.ts";
import { partnerSurface, sandboxSurface } from "./partner-surface.ts";
import type { RawResponse } from "./raw-request.ts";
import { type SettlementCaller, settlementSurface } from "./settlement-surface.ts";
import { handle, type Surface } from "./surface.ts";

/**
 * A route's handler, to be exported as `GET` whatever the methods of its operations are: the front door hands each request of a
 * surface to Next as a bare GET of a harmless path, without query, headers or body, so that nothing of Next's can change, cache
 * or refuse it. The surface reads method, target, headers and body as they were on the wire, and answers 404 and 405 itself.
 */
export type RouteHandler = (request: Request) => Promise<Response>;
type OpenDoor = () => Door | Promise<Door>;

/** `/api/v1`: signed. */
export function settlementRoute(door: OpenDoor, bindings: readonly Binding<SettlementCaller>[]): RouteHandler {
  return routeOf(settlementSurface, door, bindings);
}

/** The partner-management surface. */
export function partnerRoute(door: OpenDoor, bindings: readonly Binding<SurfaceCaller>[]): RouteHandler {
  return routeOf(partnerSurface, door, bindings);
}

/** The sandbox's controls; 404 in live mode. */
export function sandboxRoute(door: OpenDoor, bindings: readonly Binding<SurfaceCaller>[]): RouteHandler {
  return routeOf(sandboxSurface, door, bindings);
}

/** Neither key nor signature. */
export function openRoute(door: OpenDoor, bindings: readonly Binding<Anybody>[]): RouteHandler {
  return routeOf(openSurface, door, bindings);
}

function routeOf<Caller>(surface: Surface<Caller>, openDoor: OpenDoor, bindings: readonly Binding<Caller>[]): RouteHandler {
  return async (request) => {
    const raw = exchanges().get(request.headers.get(EXCHANGE_HEADER) ?? "");
    const door = await openDoor();
    // Not by the front door's way: an odd spelling of the path that Next understood and the surface does not.
    if (raw === undefined)
      return toResponse(surface.renderRefusal(new Refusal("route_not_found"), { ...door.settings, requestId: "", method: "GET" }));
    return toResponse(await handle(surface, door, bindings, raw));
  };
}

function toResponse({ status, headers, body }: RawResponse): Response {
  if (status === 204 || body === null) return new Response(null, { status, headers });
  return new Response(body, { status, headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) } });
}
