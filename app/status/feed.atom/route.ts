import { answerStatusFeed } from "#server/rest/status-answers.ts";
import { webStatus, webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The incidents for feed readers. */
export async function GET(): Promise<Response> {
  return await answerStatusFeed(webStatus(), webWiring().config.baseUrl);
}
