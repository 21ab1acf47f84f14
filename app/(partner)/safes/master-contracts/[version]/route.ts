import { partnerRoute } from "#server/rest/next-route.ts";
import { createMasterContract130Binding, createMasterContract141Binding } from "#server/rest/safe-operations.ts";
import { webDoor } from "#server/wiring.ts";

/** The front door lets no dot of a path through to Next, so one file serves both versions; the surface tells them apart. */
export const GET = partnerRoute(webDoor, [createMasterContract130Binding, createMasterContract141Binding]);
