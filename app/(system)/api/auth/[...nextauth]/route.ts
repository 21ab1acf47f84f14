import { handleAuth } from "#server/auth/handle.ts";
import { webWiring } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** Signing in to the console and out of it. */
async function answer(request: Request, segments: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  return await handleAuth(webWiring(), request, segments);
}

export { answer as GET, answer as POST };
