import { answerPostman } from "#server/rest/postman.ts";
import { webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The operations as a Postman collection that signs. */
export function GET(): Response {
  return answerPostman(webWiring().config);
}
