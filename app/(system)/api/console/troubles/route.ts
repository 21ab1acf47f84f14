import { cookies } from "next/headers";
import { readSession } from "#server/auth/read-session.ts";
import { answerTroubles } from "#server/rest/troubles.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The current troubles of the service, for the line on every page of the console. */
export async function GET(): Promise<Response> {
  const { ctx, config, replica } = webParts();
  const kept = await cookies();
  return await answerTroubles(ctx, () => readSession(ctx, config, (name) => kept.get(name)?.value), replica);
}
