import { partnerRoute } from "#server/rest/next-route.ts";
import { createMasterContract130Binding } from "#server/rest/safe-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [createMasterContract130Binding]);
