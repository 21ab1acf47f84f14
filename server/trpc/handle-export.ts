import { BYTE_ORDER_MARK, exportHeader, exportLine, settlementExport } from "#server/contract/console/settlement-export.ts";
import { REFUSAL_STATUS } from "#server/contract/refusal-status.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { mustEnrol } from "#server/domain/session.ts";
import { exportSettlements } from "#server/services/settlements/export-settlements.ts";
import { actorOf, type TrpcContext } from "./context.ts";
import { createTrpcContext, type WebParts } from "./create-context.ts";
import { refuseOrigin } from "./handle.ts";
import { showRefusal, toRefusal } from "./refusal-shape.ts";
import { readFilter } from "./settlement-filter.ts";

/** After so many batches it is asked again whether the session is still in force. */
const LOOK_AGAIN_EVERY = 20;

/**
 * Settlements as a CSV file, written while it is read: memory stays flat, and who stops reading stops the reading of the database.
 * A file that breaks off ends without its last chunk, so that nobody takes it for whole.
 */
export async function handleExport(web: WebParts, request: Request, cookie: (name: string) => string | undefined): Promise<Response> {
  const context = await createTrpcContext(web, { header: (name) => request.headers.get(name), cookie });
  try {
    const refusal = refuseOrigin(web.config.baseUrl, request);
    if (refusal !== null) throw refusal;
    return await answer(context, new URL(request.url).searchParams.get("input"), request.signal);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.code === "internal_error") context.services.log.error({ request_id: context.requestId, err: error }, "an export failed");
    const body = { refusal: showRefusal(refusal, context.requestId) };
    return Response.json(body, { status: REFUSAL_STATUS[refusal.code].status, headers: { "cache-control": "no-store" } });
  }
}

async function answer(context: TrpcContext, input: string | null, signal: AbortSignal): Promise<Response> {
  const { services, holder, requestId } = context;
  if (holder === null) throw new Refusal("invalid_token", { detail: "Sign in to go on." });
  if (mustEnrol(holder, services.entryRules)) throw new Refusal("enrolment_required");
  const { filter, columns, zone, bom } = settlementExport.parse(parseJson(input ?? ""));
  const { count, batches } = await exportSettlements(services, {
    by: { actor: actorOf(holder), requestId },
    filter: readFilter(filter, holder),
    asked: { filter: JSON.parse(JSON.stringify(filter)), columns, zone },
  });
  const lines = async function* () {
    yield (bom ? BYTE_ORDER_MARK : "") + exportHeader(columns);
    let read = 0;
    for await (const batch of batches) {
      read += 1;
      if (read % LOOK_AGAIN_EVERY === 0 && (await context.readHolder())?.sessionId !== holder.sessionId) throw new Refusal("invalid_token");
      yield batch.map((row) => exportLine(row, columns, zone)).join("");
    }
  };
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="settlements-${new Date().toISOString().slice(0, 10)}.csv"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-row-count": String(count),
  };
  return new Response(streamOf(lines(), AbortSignal.any([signal, context.ending])), { headers });
}

/** Reads on only when the receiver has room; ends with the first abort. */
function streamOf(lines: AsyncGenerator<string>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      if (signal.aborted) {
        await lines.return(undefined);
        throw new Error("the export was broken off");
      }
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("malformed_json");
  }
}
