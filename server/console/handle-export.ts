import { REFUSAL_STATUS, retryAfterOf } from "#contract/refusal-status.ts";
import { csvLine } from "#domain/csv.ts";
import { Refusal } from "#domain/refusal.ts";
import { readClient } from "#server/auth/client.ts";
import { auditFile } from "./exports/audit.ts";
import { batchesFile } from "./exports/batches.ts";
import type { CsvContext, CsvFile } from "./exports/csv-file.ts";
import { ordersFile } from "./exports/orders.ts";
import { resendFailuresFile } from "./exports/resend-failures.ts";
import { settlementsFile } from "./exports/settlements.ts";
import { refuseOrigin } from "./handle.ts";
import { byOf, mustEnrolFirst, powersOf } from "./trpc/context.ts";
import { createTrpcContext, type WebParts } from "./trpc/create-context.ts";
import { showRefusal, toRefusal } from "./trpc/refusal-shape.ts";

/** Every file that the console hands out. */
const FILES = {
  settlements: settlementsFile,
  batches: batchesFile,
  audit: auditFile,
  orders: ordersFile,
  resend_failures: resendFailuresFile,
};

/** After this many batches it checks again whether the session is valid. */
const LOOK_AGAIN_EVERY = 20;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * A CSV file, written while it is read: memory use stays constant, and a client that disconnects stops the reading. An interrupted file
 * ends without its last chunk, so nobody takes it as complete. The `input` of the URL is its filter, as JSON, and it uses the rate limits
 * of its address and its user.
 */
export async function handleExport(
  what: keyof typeof FILES,
  web: WebParts,
  request: Request,
  cookie: (name: string) => string | undefined,
): Promise<Response> {
  const header = (name: string) => request.headers.get(name);
  const { requestId, address } = readClient(header);
  try {
    const refusal = refuseOrigin(web.config.baseUrl, request);
    if (refusal !== null) throw refusal;
    web.gate.visit(address);
    const context = await createTrpcContext(web, { header, cookie });
    const { holder } = context;
    if (holder === null) throw new Refusal("invalid_token", { detail: "Sign in to continue." });
    if (mustEnrolFirst(context)) throw new Refusal("enrolment_required");
    web.gate.file(holder.userId);
    const services = powersOf(holder, context.services);
    const admitted = { ...context, services, holder, by: byOf(holder, context.requestId) };
    const file = await FILES[what](admitted, parseJson(new URL(request.url).searchParams.get("input") ?? ""));
    return respond(admitted, file, request.signal);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.code === "internal_error") web.ctx.log.error({ request_id: requestId, err: error }, "an export failed");
    const body = { refusal: showRefusal(refusal, requestId) };
    const seconds = retryAfterOf(refusal);
    const headers = { "cache-control": "no-store", ...(seconds === null ? {} : { "retry-after": String(seconds) }) };
    return Response.json(body, { status: REFUSAL_STATUS[refusal.code].status, headers });
  }
}

function respond(context: CsvContext, { name, columns, bom, count, lines }: CsvFile, signal: AbortSignal): Response {
  const watched = async function* () {
    yield (bom ? BYTE_ORDER_MARK : "") + csvLine(columns);
    let read = 0;
    for await (const batch of lines) {
      read += 1;
      if (read % LOOK_AGAIN_EVERY === 0 && (await context.readHolder())?.sessionId !== context.holder.sessionId)
        throw new Refusal("invalid_token");
      yield batch;
    }
  };
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.csv"`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(count === undefined ? {} : { "x-row-count": String(count) }),
  };
  return new Response(streamOf(watched(), AbortSignal.any([signal, context.ending])), { headers });
}

/** Reads on only when the client accepts more; ends on the first abort. */
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
