import { settlementRoute } from "#server/rest/next-route.ts";
import { previewRateBinding } from "#server/rest/pricing-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = settlementRoute(webDoor, [previewRateBinding]);
