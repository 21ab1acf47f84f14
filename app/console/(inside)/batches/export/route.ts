import type { NextRequest } from "next/server";
import { handleExport } from "#server/console/handle-export.ts";
import { webParts } from "#server/wiring.ts";

/** The results of batches, as a file. */
export async function GET(request: NextRequest): Promise<Response> {
  return await handleExport("batches", webParts(), request, (name) => request.cookies.get(name)?.value);
}
