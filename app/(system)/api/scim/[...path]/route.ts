import { handleDirectory } from "#server/auth/directory.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** Companies' directories (SCIM). */
async function answer(request: Request, segments: { params: Promise<{ path: string[] }> }): Promise<Response> {
  return await handleDirectory(webParts(), request, segments);
}

export { answer as DELETE, answer as GET, answer as PATCH, answer as POST, answer as PUT };
