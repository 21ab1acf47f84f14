import { answerMetrics } from "#server/rest/system-surface.ts";
import { webReplica, webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** All figures, for Prometheus. */
export async function GET(request: Request): Promise<Response> {
  const { ctx, config } = webWiring();
  return await answerMetrics(ctx, config, request.headers, webReplica());
}
