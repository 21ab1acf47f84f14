import { attemptCallbackBinding } from "#server/rest/callback-operations.ts";
import { settlementRoute } from "#server/rest/next-route.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = settlementRoute(webDoor, [attemptCallbackBinding]);
