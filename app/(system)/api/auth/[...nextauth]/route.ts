import { handleAuth } from "#server/auth/handle.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** Signing in to the console and out of it. */
async function answer(request: Request, segments: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  return await handleAuth(webParts(), request, segments);
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
