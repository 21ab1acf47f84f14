import { cookies } from "next/headers";
import { handleExport } from "#server/console/handle-export.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The settlements that a list shows, as a file. */
export async function GET(request: Request): Promise<Response> {
  const kept = await cookies();
  return await handleExport(webParts(), request, (name) => kept.get(name)?.value);
}
