import { cookies } from "next/headers";
import { handleFiatExport } from "#server/console/handle-fiat-export.ts";
import { webParts } from "#server/wiring.ts";

export const dynamic = "force-dynamic";

/** The withdrawals or top-ups that a list shows, as a file. */
export async function GET(request: Request): Promise<Response> {
  const kept = await cookies();
  return await handleFiatExport(webParts(), request, (name) => kept.get(name)?.value);
}
