import { partnerRoute } from "#server/rest/next-route.ts";
import { updatePartnerStatusBinding } from "#server/rest/partner-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [updatePartnerStatusBinding]);
