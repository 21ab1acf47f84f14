import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import type { AttemptTimings } from "#domain/callback.ts";
import type { Deadline } from "./deadline.ts";
import { agentFor, keptFirst, placeOf } from "./kept-connections.ts";

/** The most of an answer that is read; the rest is cut off, and only the status decides. */
const MAX_READ_BYTES = 16_384;
const MAX_HEADER_BYTES = 16_384;
/** The most of it that is stored. */
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
  deadline: Deadline;
};

/** The progress of an exchange, filled in as it goes, so that the part received is known however it ends. */
export type Progress = {
  timings: AttemptTimings;
  sentHeaders: Record<string, string> | null;
  remoteAddress: string | null;
  status: number | null;
  headers: Record<string, string> | null;
  /** The stored part of the body. */
  chunks: Buffer[];
  bytes: number | null;
};

export function newProgress(): Progress {
  return { timings: {}, sentHeaders: null, remoteAddress: null, status: null, headers: null, chunks: [], bytes: null };
}

/** Raised for an invalid answer: an upgrade, or "continue" without an end. */
export class NoAnswer extends Error {
  readonly code = "HPE_NO_ANSWER";
}

const OWN_HEADERS = { "user-agent": "settlement-callbacks/1", accept: "*/*", "accept-encoding": "identity" };

/** Several addresses are tried one after the other, each for this long; the last one is limited only by the deadline. */
const CONNECT_LIMIT_MS = 4_000;

/**
 * One POST to one of the given addresses, and to no other. Rejects with the network's error; the deadline aborts it at any step. The answer
 * is read as it is on the wire: no redirect is followed and nothing is decompressed. Once `progress` has a status the receiver has
 * answered, however its body ends: a later rejection does not count.
 */
export async function post(request: Post, progress: Progress): Promise<void> {
  const addresses = keptFirst(request);
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    try {
      return await exchange(request, address, isLast ? null : CONNECT_LIMIT_MS, progress);
    } catch (error) {
      // Once connected, the request may have arrived: no other address is tried, nor a new connection after a kept one broke.
      if (isLast || progress.remoteAddress !== null || request.deadline.trouble !== null) throw error;
    }
  }
}

function exchange(request: Post, address: string, connectLimitMs: number | null, progress: Progress): Promise<void> {
  return new Promise((resolve, reject) => {
    const lap = stopwatch();
    const { outgoing, sentHeaders } = open(request, address);
    request.deadline.onEnd(() => outgoing.destroy());
    const connecting =
      connectLimitMs === null ? undefined : setTimeout(() => outgoing.destroy(new TooSlow("no connection")), connectLimitMs);
    let interim = 0;
    outgoing.on("error", (error) => {
      clearTimeout(connecting);
      reject(error);
    });
    outgoing.on("socket", (socket: Socket) => {
      const connected = () => {
        clearTimeout(connecting);
        progress.remoteAddress = socket.remoteAddress ?? null;
        progress.sentHeaders = sentHeaders;
      };
      if (outgoing.reusedSocket) return connected();
      socket.once("connect", () => {
        progress.timings.connect = lap();
        connected();
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
        // A connection may only be kept after its answer was read to the end.
        .finally(() => response.complete || outgoing.destroy());
    });
    outgoing.end(request.body);
  });
}

class TooSlow extends Error {
  readonly code = "ETIMEDOUT";
}

/** `sentHeaders`: as HTTP compares their names. */
function open(request: Post, address: string): { outgoing: http.ClientRequest; sentHeaders: Record<string, string> } {
  const { url, target, body } = request;
  const headers = { ...OWN_HEADERS, ...request.headers, host: url.host, "content-length": String(Buffer.byteLength(body)) };
  const [onTheWire, sentHeaders]: [string[], Record<string, string>] = [[], {}];
  for (const [name, value] of Object.entries(headers)) {
    onTheWire.push(name, value);
    sentHeaders[name.toLowerCase()] = value;
  }
  const options: https.RequestOptions = {
    ...placeOf(request, address),
    agent: agentFor(url),
    method: "POST",
    path: target,
    // A list goes out as it is: nothing is looked up or set again.
    headers: onTheWire,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  };
  return { outgoing: url.protocol === "http:" ? http.request(options) : https.request(options), sentHeaders };
}

function readAnswer(response: http.IncomingMessage, progress: Progress): Promise<void> {
  progress.status = response.statusCode ?? null;
  progress.headers = textHeaders(response.headers);
  progress.bytes = 0;
  let length = 0;
  // Events, not `for await`: an iterator that is left early waits for the stream to close, and a receiver could make that long.
  return new Promise((resolve, reject) => {
    response.on("data", (chunk: Buffer) => {
      if (length < MAX_KEPT_BYTES) progress.chunks.push(chunk);
      length += chunk.length;
      progress.bytes = Math.min(length, MAX_READ_BYTES);
      if (length >= MAX_READ_BYTES) resolve();
    });
    response.on("end", resolve);
    response.on("error", reject);
    response.on("close", () => response.complete || reject(new Error("the answer broke off")));
  });
}

/** The first 4 KiB as text. A character cut in two at the end is dropped; PostgreSQL takes no NUL. */
export function textOf(chunks: readonly Buffer[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }).replaceAll("\0", "\ufffd");
}

function textHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
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
