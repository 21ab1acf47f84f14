import http from "node:http";
import https from "node:https";
import { isIP, isIPv6, type LookupFunction, type Socket, type TcpNetConnectOpts } from "node:net";
import type { AttemptTimings } from "#domain/callback.ts";
import { hostOf, portOf } from "./guard.ts";

/** At most so much of an answer is read; what is beyond is cut off, and the status alone decides. */
const MAX_READ_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
/** So much of it is kept. */
const MAX_KEPT_BYTES = 4_096;
/** A receiver may say "continue" or send hints, but not for ever. */
const MAX_INTERIM_ANSWERS = 8;

export type Post = {
  url: URL;
  /** Path and query as they go on the wire. */
  target: string;
  addresses: readonly string[];
  headers: Record<string, string>;
  body: string;
  ca: string | undefined;
  signal: AbortSignal;
};

/** How far an exchange has come: filled in as it goes, so that what was heard is known whatever ends it. */
export type Progress = {
  timings: AttemptTimings;
  sentHeaders: Record<string, string> | null;
  remoteAddress: string | null;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  bytes: number | null;
};

export function newProgress(): Progress {
  return { timings: {}, sentHeaders: null, remoteAddress: null, status: null, headers: null, body: null, bytes: null };
}

/** Raised for an answer that is none: an upgrade, or "continue" without an end. */
export class NoAnswer extends Error {
  readonly code = "HPE_NO_ANSWER";
}

const OWN_HEADERS = { "user-agent": "settlement-callbacks/1", accept: "*/*", "accept-encoding": "identity" };

// No connection is kept: a kept one would skip the guard, and its address would be that of an earlier answer of DNS.
const plain = new http.Agent({ keepAlive: false });
const secure = new https.Agent({ keepAlive: false, maxCachedSessions: 0 });

/**
 * One POST to one of the given addresses, and to no other. Rejects with the network's error; `signal` ends it at once at any step.
 * The answer is read as it comes off the wire: no redirect is followed and nothing is unpacked. Once `progress` has a status the
 * receiver has answered, however its body ends: what is rejected after that is no verdict.
 */
export function post(request: Post, progress: Progress): Promise<void> {
  return new Promise((resolve, reject) => {
    const lap = stopwatch();
    const outgoing = open(request);
    let interim = 0;
    outgoing.on("error", reject);
    outgoing.on("socket", (socket: Socket) => {
      socket.once("connect", () => {
        progress.timings.connect = lap();
        progress.remoteAddress = socket.remoteAddress ?? null;
        progress.sentHeaders = textHeaders(outgoing.getHeaders());
      });
      socket.once("secureConnect", () => {
        progress.timings.tls = lap();
      });
    });
    outgoing.on("information", () => {
      interim += 1;
      if (interim > MAX_INTERIM_ANSWERS) outgoing.destroy(new NoAnswer("interim answers without end"));
    });
    outgoing.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new NoAnswer("the receiver wants another protocol"));
    });
    outgoing.on("response", (response) => {
      progress.timings.firstByte = lap();
      readAnswer(response, progress)
        .then(resolve, reject)
        .finally(() => outgoing.destroy());
    });
    outgoing.end(request.body);
  });
}

function open({ url, target, addresses, headers, body, ca, signal }: Post): http.ClientRequest {
  const host = hostOf(url);
  const options: https.RequestOptions & Pick<TcpNetConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> = {
    method: "POST",
    host,
    port: portOf(url),
    path: target,
    headers: { ...OWN_HEADERS, ...headers, host: url.host, "content-length": String(Buffer.byteLength(body)), connection: "close" },
    lookup: pinned(addresses),
    // Several addresses are tried one after the other, the last without a limit of its own but the deadline's.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 4_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    signal,
  };
  if (url.protocol === "http:") return http.request({ ...options, agent: plain });
  return https.request({ ...options, agent: secure, rejectUnauthorized: true, servername: isIP(host) ? "" : host, ...(ca ? { ca } : {}) });
}

/** A lookup that knows its answer already. */
function pinned(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    const [first] = entries;
    if (first === undefined) callback(new Error("no address"), "", 4);
    else if (options.all) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}

function readAnswer(response: http.IncomingMessage, progress: Progress): Promise<void> {
  progress.status = response.statusCode ?? null;
  progress.headers = textHeaders(response.headers);
  progress.bytes = 0;
  const chunks: Buffer[] = [];
  let length = 0;
  // Events, not `for await`: an iterator that is left early waits for the stream to close, and a receiver could make that long.
  return new Promise((resolve, reject) => {
    response.on("data", (chunk: Buffer) => {
      if (length < MAX_KEPT_BYTES) {
        chunks.push(chunk);
        progress.body = textOf(chunks);
      }
      length += chunk.length;
      progress.bytes = Math.min(length, MAX_READ_BYTES);
      if (length >= MAX_READ_BYTES) resolve();
    });
    response.on("end", resolve);
    response.on("error", reject);
    response.on("close", () => reject(Object.assign(new Error("the answer broke off"), { code: "ECONNRESET" })));
  });
}

/** The first 4 KiB as text. A character cut in two at the end is dropped; PostgreSQL takes no NUL. */
function textOf(chunks: Buffer[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }).replaceAll("\0", "\ufffd");
}

function textHeaders(headers: http.IncomingHttpHeaders | http.OutgoingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    kept[name] = (Array.isArray(value) ? value.join(", ") : String(value ?? "")).replaceAll("\0", "\ufffd");
  }
  return kept;
}

/** Answers, at each call, the milliseconds since the one before. */
export function stopwatch(): () => number {
  let since = performance.now();
  return () => {
    const from = since;
    since = performance.now();
    return Math.round((since - from) * 10) / 10;
  };
}
