import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { newId } from "#domain/ids.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { SECURITY_TXT_PATH, securityTxt } from "#domain/security-txt.ts";
import type { Log } from "#server/ports.ts";
import { clientAddress } from "#server/rest/client-address.ts";
import { renderProblem } from "#server/rest/problem.ts";
import { collectHeaders, isClientGone, type RawRequest, type RawResponse, splitTarget } from "#server/rest/raw-request.ts";
import { bodyLimitAt, type Registered, surfaceAt } from "#server/rest/registry.ts";
import { replaceWhenAway } from "./away-page.ts";
import { setBaseline, setTransportSecurity } from "./baseline-headers.ts";
import { type Drain, watchConnections } from "./drain.ts";
import { endUnread, UNREAD_MS } from "./end-unread.ts";
import { refuseFraming } from "./framing.ts";
import { pageBodyLimitAt, withWholeBody } from "./page-body.ts";
import { announcedLength, endLeftover, readBody } from "./read-body.ts";
import { recordRequest } from "./record-request.ts";
import { refuseRaw, refuseUnparsed } from "./refuse-raw.ts";
import { COMMON_METHODS, refuseTarget } from "./target.ts";

export type FrontDoorOptions = {
  /** Answers a surface's request, whatever it is. null: Next's own routes do, which a developer changes while they run. */
  answer: ((registered: Registered, raw: RawRequest) => Promise<RawResponse>) | null;
  /** Next's own handler, for everything else. */
  next(request: IncomingMessage, response: ServerResponse): Promise<void>;
  log: Log;
  baseUrl: string;
  /** Where to report a vulnerability, as a URI. Omitted or null: there is no `/.well-known/security.txt`. */
  securityContact?: string | null;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is accepted. Left out: none. */
  trustedProxies?: readonly string[];
  /** In development, Next uses WebSocket to the browser. Nothing else is upgraded. */
  mayUpgrade?: boolean;
  /** How long who listens to a live stream may take nothing of it. */
  unreadMs?: number;
};

export type FrontDoor = { server: Server; drain: Drain };

/** The limits for reading a request, so that a slow sender occupies only a socket. */
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

/** Gives Next's own handlers (signing in to the console) the address that a request comes from; what a client sends under the name is lost. */
const CLIENT_ADDRESS_HEADER = "x-client-address";

/**
 * The process's front door: sees every request before Next does. It gives each one its id, refuses what HTTP must not carry,
 * answers the surfaces' requests as they were on the wire, and leaves the rest to Next.
 */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const server = createServer({ ...LIMITS, shouldUpgradeCallback: () => options.mayUpgrade === true });
  const drain = watchConnections(server);
  const answer = (request: IncomingMessage, response: ServerResponse) => void admit(options, request, response);
  server.on("request", answer);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // A body that is refused by its announced length is never requested.
    const { path } = splitTarget(request.url ?? "");
    if (announcedLength(request) <= Math.max(bodyLimitAt(path), pageBodyLimitAt(path))) response.writeContinue();
    answer(request, response);
  });
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("X-Request-Id", newId("request", new Date()));
    setTransportSecurity(response, options.baseUrl);
    setBaseline(response);
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
  const headers = collectHeaders(request.rawHeaders);
  const registered = surfaceAt(path);
  underWay.set(socket, response);
  response.setHeader("X-Request-Id", requestId);
  setTransportSecurity(response, options.baseUrl);
  setBaseline(response);
  response.once("finish", () => endLeftover(request));
  const refusal = refuseFraming(request.httpVersion, headers, response) ?? (registered === null ? refuseTarget(method, path) : null);
  if (refusal !== null) return refuse(options, response, requestId, refusal);
  if (path === SECURITY_TXT_PATH && options.securityContact) return answerSecurityTxt(options, response, options.securityContact);
  try {
    if (registered === null || options.answer === null) return await askNext(options, request, response, { requestId, path, arrivedAt });
    const body = (limitBytes: number) => readBody(request, announcedLength(request), limitBytes);
    const whenGone = (then: () => void) => response.once("close", () => void (response.writableFinished || then()));
    const remoteAddress = socket.remoteAddress ?? "";
    const raw = { requestId, method, path, query, headers, remoteAddress, arrivedAt, readBody: body, whenGone };
    send(response, await options.answer(registered, raw));
  } catch (error) {
    if (isClientGone(error)) return void response.destroy();
    if (!isRefusal(error)) options.log.error({ request_id: requestId, err: error }, "a request could not be answered");
    if (response.headersSent) response.destroy();
    else refuse(options, response, requestId, isRefusal(error) ? error : new Refusal("internal_error"));
  }
}

async function askNext(
  options: FrontDoorOptions,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, path, arrivedAt }: Pick<RawRequest, "requestId" | "path" | "arrivedAt">,
): Promise<void> {
  const { method = "" } = request;
  for (const name of INTERNAL_HEADERS) delete request.headers[name];
  request.headers["x-request-id"] = requestId;
  request.headers[CLIENT_ADDRESS_HEADER] = clientAddressOf(request, options.trustedProxies ?? []);
  replaceWhenAway(response, requestId);
  endUnread(response, { log: options.log, path, unreadMs: options.unreadMs ?? UNREAD_MS });
  response.once("close", () => recordRequest(options.log, { requestId, method, path, status: response.statusCode, arrivedAt }));
  await options.next(await withWholeBody(request), response);
}

/** For every method: nothing of a request is read, and a HEAD is answered like its GET. */
function answerSecurityTxt({ baseUrl }: FrontDoorOptions, response: ServerResponse, contact: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" };
  send(response, { status: 200, headers, body: securityTxt({ contact, baseUrl, now: new Date() }) });
}

/** Nothing is written to a client that has gone. */
function send(response: ServerResponse, { status, headers, body }: RawResponse): void {
  if (response.destroyed) return;
  const length = status === 204 || body === null ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...length }).end(status === 204 ? null : body);
}

function clientAddressOf({ socket, rawHeaders }: IncomingMessage, trustedProxies: readonly string[]): string {
  return clientAddress({ remoteAddress: socket.remoteAddress ?? "", headers: collectHeaders(rawHeaders) }, trustedProxies);
}

function refuse(options: FrontDoorOptions, response: ServerResponse, requestId: string, refusal: Refusal): void {
  const answer = renderProblem(refusal, { baseUrl: options.baseUrl, requestId });
  if (refusal.code === "method_not_allowed") response.setHeader("Allow", COMMON_METHODS);
  send(response, { ...answer, headers: { ...answer.headers, "Cache-Control": "no-store" } });
  const { status } = answer;
  options.log.info({ request_id: requestId, surface: "system", operation: "unknown", status, code: refusal.code }, "request");
}
