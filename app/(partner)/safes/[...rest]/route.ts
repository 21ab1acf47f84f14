import { partnerRoute } from "#server/rest/next-route.ts";
import { webDoor } from "#server/wiring.ts";

/** Whatever no other route answers: 404 in the surface's own manner. */
export const GET = partnerRoute(webDoor, []);
