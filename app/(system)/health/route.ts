import { answerHealth } from "#server/rest/system-surface.ts";

export const dynamic = "force-dynamic";

/** Alive: for load balancers and supervisors. */
export const GET = answerHealth;
