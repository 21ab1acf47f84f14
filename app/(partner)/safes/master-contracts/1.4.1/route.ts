import { partnerRoute } from "#server/rest/next-route.ts";
import { createMasterContract141Binding } from "#server/rest/safe-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [createMasterContract141Binding]);
