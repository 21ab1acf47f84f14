import { answerAsyncApi } from "#server/rest/openapi.ts";
import { webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The events as an AsyncAPI 3.0 document: `events.json`, and the same as YAML. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  return answerAsyncApi((await params).file, webWiring().config);
}
