import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { exportResendFailures, type ResendFailure } from "#server/services/callbacks/resend-jobs.ts";
import { type CsvContext, type CsvFile, linesOf } from "./csv-file.ts";

const COLUMNS = ["callback_id", "subject_id", "host", "state", "error_class", "last_status"];

/** What of a resend failed. */
export async function resendFailuresFile({ services, holder, by }: CsvContext, input: unknown): Promise<CsvFile> {
  const { id } = z.strictObject({ id: plainText(1, 64) }).parse(input);
  const batches = await exportResendFailures(services, { partnerId: holder.partnerId, by, id });
  return { name: "resend-failures", columns: COLUMNS, lines: linesOf(batches, resendFailureCells) };
}

/** One undelivered callback of a job. Only its host: paths and queries may contain confidential data. */
export function resendFailureCells({ callbackId, subjectId, url, state, errorKind, responseStatus }: ResendFailure): string[] {
  return [callbackId, subjectId, new URL(url).host, state, errorKind, responseStatus === null ? "" : String(responseStatus)];
}
