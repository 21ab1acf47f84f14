import type { NextRequest } from "next/server";
import { handleExport } from "#server/console/handle-export.ts";
import { webParts } from "#server/wiring.ts";

/** The listed part of the audit log, as a file. */
export async function GET(request: NextRequest): Promise<Response> {
  return await handleExport("audit", webParts(), request, (name) => request.cookies.get(name)?.value);
}
