import { getMemberSafeInfoBinding } from "#server/rest/member-operations.ts";
import { partnerRoute } from "#server/rest/next-route.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [getMemberSafeInfoBinding]);
