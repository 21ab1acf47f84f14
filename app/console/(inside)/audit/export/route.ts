import { cookies } from "next/headers";
import { handleAuditExport } from "#server/console/handle-audit-export.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The part of the audit log that a list shows, as a file. */
export async function GET(request: Request): Promise<Response> {
  const kept = await cookies();
  return await handleAuditExport(webParts(), request, (name) => kept.get(name)?.value);
}
