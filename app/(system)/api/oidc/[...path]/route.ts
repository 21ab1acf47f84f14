import { handleIdentity } from "#server/auth/identity.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** Signing in with a company's identity. */
async function answer(request: Request, segments: { params: Promise<{ path: string[] }> }): Promise<Response> {
  return await handleIdentity(webParts(), request, segments);
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
