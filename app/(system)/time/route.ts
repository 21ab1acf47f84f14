import { openRoute } from "#server/rest/next-route.ts";
import { timeBinding } from "#server/rest/time.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = openRoute(webDoor, [timeBinding]);
