import { sandboxRoute } from "#server/rest/next-route.ts";
import { setRateBinding } from "#server/rest/sandbox-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = sandboxRoute(webDoor, [setRateBinding]);
