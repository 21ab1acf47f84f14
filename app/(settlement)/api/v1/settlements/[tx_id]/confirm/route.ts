import { settlementRoute } from "#server/rest/next-route.ts";
import { confirmOneSettlementBinding } from "#server/rest/settlement-operations.ts";
import { webDoor } from "#server/wiring.ts";

export const GET = settlementRoute(webDoor, [confirmOneSettlementBinding]);
