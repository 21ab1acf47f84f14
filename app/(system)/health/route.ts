import { answerDraining, answerHealth } from "#server/rest/system-surface.ts";
import { webDraining } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** Alive, and not about to end: for load balancers and supervisors. */
export function GET(): Response {
  return webDraining().signal.aborted ? answerDraining() : answerHealth();
}
