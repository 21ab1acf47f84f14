import { answerStatus } from "#server/rest/status-answers.ts";
import { webStatus } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** What the status page shows, for programs. */
export async function GET(): Promise<Response> {
  return await answerStatus(webStatus());
}
