import { RESEND_FAILURE_CSV_HEADER, resendFailureCsvLine } from "#contract/console/callback-work.ts";
import { resendJobById } from "#contract/console/callbacks.ts";
import { exportResendFailures } from "#server/services/callbacks/export-resend-failures.ts";
import { actorOf } from "./trpc/context.ts";
import type { WebParts } from "./trpc/create-context.ts";
import { type CsvContext, type CsvFile, handleCsv } from "./trpc/csv-response.ts";

/** What of a resend failed, as a CSV file. */
export async function handleResendExport(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  return await handleCsv(web, request, cookie, write);
}

async function write({ services, holder, requestId }: CsvContext, input: unknown): Promise<CsvFile> {
  const { id } = resendJobById.parse(input);
  const by = { actor: actorOf(holder), requestId };
  const batches = await exportResendFailures(services, { partnerId: holder.partnerId, by, id });
  const lines = async function* () {
    for await (const batch of batches) yield batch.map(resendFailureCsvLine).join("");
  };
  return { name: "resend-failures", head: RESEND_FAILURE_CSV_HEADER, batches: lines() };
}
