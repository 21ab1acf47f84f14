import { answerOpenApi } from "#server/rest/openapi.ts";
import { webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The surfaces as OpenAPI 3.1 documents: `settlement.json`, `partner.json` and, in the sandbox, `sandbox.json`; as YAML too. */
export async function GET(_request: Request, { params }: { params: Promise<{ surface: string }> }): Promise<Response> {
  return answerOpenApi((await params).surface, webWiring().config);
}
