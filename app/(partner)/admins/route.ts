import { partnerRoute } from "#server/rest/next-route.ts";
import { createAdminBinding } from "#server/rest/people-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [createAdminBinding]);
