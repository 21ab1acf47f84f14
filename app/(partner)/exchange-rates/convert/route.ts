import { partnerRoute } from "#server/rest/next-route.ts";
import { convertToCurrencyBinding } from "#server/rest/rate-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = partnerRoute(webDoor, [convertToCurrencyBinding]);
