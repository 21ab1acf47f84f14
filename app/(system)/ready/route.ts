import { answerDraining, answerReady } from "#server/rest/system-surface.ts";
import { webDraining, webReplica, webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** Whether every part of the service does its work: for deployments and alarms. */
export async function GET(request: Request): Promise<Response> {
  if (webDraining().signal.aborted) return answerDraining();
  const { ctx, config } = webWiring();
  return await answerReady(ctx, config, request.headers, webReplica());
}
