import type { Answers } from "#server/console/router.ts";

/** A destination, as the service describes it, with what waits for it. */
export type Destination = Answers["eventDestinations"]["list"]["data"][number];
