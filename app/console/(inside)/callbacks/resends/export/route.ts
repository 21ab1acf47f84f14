import type { NextRequest } from "next/server";
import { handleExport } from "#server/console/handle-export.ts";
import { webParts } from "#server/wiring.ts";

/** The failures of a resend, as a file. */
export async function GET(request: NextRequest): Promise<Response> {
  return await handleExport("resend_failures", webParts(), request, (name) => request.cookies.get(name)?.value);
}
