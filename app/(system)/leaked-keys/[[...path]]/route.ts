import { routeHandlers } from "#server/rest/next-route.ts";
import { webSurfaceContext } from "#server/wiring.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeHandlers("system", webSurfaceContext);
