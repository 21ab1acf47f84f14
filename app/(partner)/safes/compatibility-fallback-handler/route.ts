import { partnerRoute } from "#server/rest/next-route.ts";
import { createFallbackHandlerBinding } from "#server/rest/safe-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [createFallbackHandlerBinding]);
