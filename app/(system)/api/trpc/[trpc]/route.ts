import { cookies } from "next/headers";
import { handleTrpc } from "#server/console/handle.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The console's calls, and its live updates. */
async function answer(request: Request): Promise<Response> {
  const kept = await cookies();
  return await handleTrpc(webParts(), request, (name) => kept.get(name)?.value);
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
