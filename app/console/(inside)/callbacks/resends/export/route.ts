import { cookies } from "next/headers";
import { handleResendExport } from "#server/console/handle-resend-export.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** What of a resend failed, as a file. */
export async function GET(request: Request): Promise<Response> {
  const kept = await cookies();
  return await handleResendExport(webParts(), request, (name) => kept.get(name)?.value);
}
