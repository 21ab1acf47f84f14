import { partnerRoute } from "#server/rest/next-route.ts";
import { readAdminsMeBinding } from "#server/rest/people-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [readAdminsMeBinding]);
