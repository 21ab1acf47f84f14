import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { newId } from "#domain/ids.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { Log } from "#server/ports.ts";
import { clientAddress } from "#server/rest/client-address.ts";
import { EXCHANGE_HEADER, exchanges } from "#server/rest/exchange.ts";
import { renderProblem } from "#server/rest/problem.ts";
import { collectHeaders, isClientGone, splitTarget } from "#server/rest/raw-request.ts";
import { MAX_BODY_BYTES } from "#server/rest/read-input.ts";
import { replaceWhenAway } from "./away-page.ts";
import { type Drain, watchConnections } from "./drain.ts";
import { refuseFraming } from "./framing.ts";
import { noteRequest } from "./note-request.ts";
import { withWholeBody } from "./page-body.ts";
import { announcedLength, endLeftover, readBody } from "./read-body.ts";
import { refuseRaw, refuseUnparsed } from "./refuse-raw.ts";
import { COMMON_METHODS, harmlessPath, isSurfacePath, refuseTarget } from "./target.ts";

export type FrontDoorOptions = {
  /** Next's own handler; a test puts its own here. */
  next(request: IncomingMessage, response: ServerResponse): Promise<void>;
  log: Log;
  baseUrl: string;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is believed. Left out: nobody's. */
  trustedProxies?: readonly string[];
  /** Next in development speaks WebSocket to the browser. Nothing else is upgraded. */
  mayUpgrade?: boolean;
};

export type FrontDoor = { server: Server; drain: Drain };

/** Requests are read within these, so that a slow sender holds a socket and nothing more. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the idle time of common load balancers, which would otherwise reuse a connection that is just being closed.
  keepAliveTimeout: 65_000,
  // Judged here, so that this refusal too has its request id.
  requireHostHeader: false,
  maxHeaderSize: 16 * 1_024,
};

/** Headers of Next's own plumbing that no client has any business to send. */
const INTERNAL_HEADERS = ["x-middleware-subrequest", "x-middleware-prefetch", "x-matched-path", "x-now-route-matches", "x-nextjs-data"];

/** Tells Next's own handlers (signing in to the console) where a request comes from; what a client sends under the name is lost. */
const CLIENT_ADDRESS_HEADER = "x-client-address";

/**
 * The process's front door: sees every request before Next does. It gives each one its id, refuses what HTTP must not carry,
 * and keeps method, target, headers and body of the surfaces' requests as they were on the wire (see `rest/exchange`).
 */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const server = createServer({ ...LIMITS, shouldUpgradeCallback: () => options.mayUpgrade === true });
  const drain = watchConnections(server);
  const answer = (request: IncomingMessage, response: ServerResponse) => void admit(options, request, response);
  server.on("request", answer);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A body that is refused by its announced length is never asked for.
    if (announcedLength(request) <= MAX_BODY_BYTES) response.writeContinue();
    answer(request, response);
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("X-Request-Id", newId("request", new Date()));
    response.writeHead(417, { "Content-Length": 0 }).end(() => endLeftover(request));
  });
  server.on("connect", (_request: IncomingMessage, socket) => void refuseRaw(socket, 405, "CONNECT is not served here."));
  server.on("clientError", (error, socket) => {
    if (underWay.get(socket)?.headersSent) return void socket.destroy();
    const status = refuseUnparsed(error, socket);
    options.log.info({ surface: "system", operation: "unknown", status, code: "malformed_header", reason: error.message }, "request");
  });
  return { server, drain };
}

/** The answer in progress on a socket: once it has begun, nothing else may be written there. */
const underWay = new WeakMap<object, ServerResponse>();

async function admit(options: FrontDoorOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = performance.now();
  const requestId = newId("request", new Date());
  const { method = "", url: target = "", socket } = request;
  const { path, query } = splitTarget(target);
  underWay.set(socket, response);
  response.setHeader("X-Request-Id", requestId);
  response.once("finish", () => endLeftover(request));
  const refusal = refuseFraming(request, response) ?? refuseTarget(method, target);
  if (refusal !== null) return refuse(options, response, requestId, refusal);
  if (isSurfacePath(path)) {
    const headers = collectHeaders(request.rawHeaders);
    const remoteAddress = socket.remoteAddress ?? "";
    const announced = announcedLength(request);
    const body = (limitBytes: number) => readBody(request, announced, limitBytes);
    exchanges().set(requestId, { requestId, method, path, query, headers, remoteAddress, arrivedAt, readBody: body });
    response.once("close", () => exchanges().delete(requestId));
    disguise(request, harmlessPath(path), requestId);
    dropVary(response);
  } else {
    for (const name of [...INTERNAL_HEADERS, EXCHANGE_HEADER]) delete request.headers[name];
    request.headers["x-request-id"] = requestId;
    request.headers[CLIENT_ADDRESS_HEADER] = clientAddressOf(request, options.trustedProxies ?? []);
    replaceWhenAway(response, requestId);
    response.once("close", () => noteRequest(options.log, { requestId, method, path, status: response.statusCode, arrivedAt }));
  }
  await handOver(options, request, response, requestId);
}

async function handOver(options: FrontDoorOptions, request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void> {
  try {
    // A surface reads its request's body itself, once it knows what is asked for.
    const isSurface = request.headers[EXCHANGE_HEADER] !== undefined;
    await options.next(isSurface ? request : await withWholeBody(request), response);
  } catch (error) {
    if (isClientGone(error)) return void response.destroy();
    if (!isRefusal(error)) options.log.error({ request_id: requestId, err: error }, "Next failed to answer");
    if (response.headersSent) response.destroy();
    else refuse(options, response, requestId, isRefusal(error) ? error : new Refusal("internal_error"));
  }
}

function clientAddressOf({ socket, rawHeaders }: IncomingMessage, trustedProxies: readonly string[]): string {
  return clientAddress({ remoteAddress: socket.remoteAddress ?? "", headers: collectHeaders(rawHeaders) }, trustedProxies);
}

/** What Next gets to see of a surface's request (see `rest/next-route`). */
function disguise(request: IncomingMessage, path: string, requestId: string): void {
  request.method = "GET";
  request.url = path;
  request.headers = { host: "surface", [EXCHANGE_HEADER]: requestId };
  request.rawHeaders = ["Host", "surface", EXCHANGE_HEADER, requestId];
}

/** Next says that its pages vary by its router's headers. A surface's answer does not, and a cache in between must not think so. */
function dropVary(response: ServerResponse): void {
  const { setHeader, appendHeader } = response;
  response.setHeader = (name, value) => (isVary(name) ? response : setHeader.call(response, name, value));
  response.appendHeader = (name, value) => (isVary(name) ? response : appendHeader.call(response, name, value));
}

function isVary(name: string): boolean {
  return name.toLowerCase() === "vary";
}

function refuse(options: FrontDoorOptions, response: ServerResponse, requestId: string, refusal: Refusal): void {
  const { status, headers, body } = renderProblem(refusal, { baseUrl: options.baseUrl, requestId });
  if (refusal.code === "method_not_allowed") response.setHeader("Allow", COMMON_METHODS);
  response.writeHead(status, { ...headers, "Cache-Control": "no-store", "Content-Length": Buffer.byteLength(body ?? "") }).end(body);
  options.log.info({ request_id: requestId, surface: "system", operation: "unknown", status, code: refusal.code }, "request");
}
