import { randomUUID } from "node:crypto";
import http, { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import { problemSchema } from "#contract/problem.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import { type SignedRequest, sign, signatureMatches } from "#domain/signing.ts";
import { type Call, readCall } from "./call.ts";

/** The sandbox that clients settle with, and the demo partner's credentials there. */
export type Place = {
  baseUrl: string;
  brand: string;
  apiKey: string;
  apiSecret: string;
  callbackSecret: string;
  /** A receiver of the sandbox that takes every callback. */
  callbackUrl: string;
};

/** What a client did, request by request. */
export type Seen = Call & {
  nonce: string;
  idempotencyKey: string | null;
  /** Milliseconds of one clock: when it came, and when its answer went (or was lost). */
  at: number;
  endedAt: number;
  status: number | "lost";
  code: string | null;
  retryAfter: number | null;
  /** The status of the object in the answer, as the client was shown it. */
  shown: string | null;
};

/** What the sandbox has answered, whether or not the client saw it. */
export type Effects = {
  /** Each settlement, batch, withdrawal or top-up that was made, a settlement with the amount that it was quoted. */
  made: Map<string, number>;
  /** The reference that each settlement was confirmed under; a batch has none. */
  confirmed: Map<string, string>;
};

/** What befalls a request, which is the `count`th of its operation. */
export type Trouble =
  | { refuse: RefusalCode; retryAfter?: number; members?: object }
  | { lose: "answer"; andThen?: "kill" }
  | { delayMs: number };
export type Interference = (request: { operation: string; count: number; txId: string | null; made: Effects["made"] }) => Trouble | null;

type Options = {
  interfere?: Interference | undefined;
  /** What the client is shown in place of an answer about a settlement or a batch. */
  alter?: ((operation: string, answer: Record<string, unknown>) => object) | undefined;
  /** How far the service's clock is ahead, as the client sees it. */
  clockOffsetSeconds?: number | undefined;
  onKill?: () => void;
};

export type OpenProxy = { url: string; seen: readonly Seen[]; effects: Effects; close(): Promise<void> };
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/**
 * A server on this machine that forwards each request to the sandbox and its answer back, and loses, delays, refuses or alters them as the
 * scenario asks. What was made and confirmed comes from the sandbox's own answers.
 */
export async function openProxy(place: Place, options: Options = {}): Promise<OpenProxy> {
  const desk = new Desk(place, options);
  const server = createServer((request, response) => void desk.serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${address.port}`, seen: desk.seen, effects: desk.effects, close };
}

class Desk {
  readonly seen: Seen[] = [];
  readonly effects: Effects = { made: new Map(), confirmed: new Map() };
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<string>();
  readonly #place: Place;
  readonly #options: Options;

  constructor(place: Place, options: Options) {
    this.#place = place;
    this.#options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBytes(request);
    const at = performance.now();
    const nonce = this.#header(request, "nonce");
    const call = readCall(request.method ?? "", request.url ?? "", bytes);
    const idempotencyKey = text(request.headers["idempotency-key"]) || null;
    const seen: Seen = { ...call, nonce, idempotencyKey, at, endedAt: 0, status: "lost", code: null, retryAfter: null, shown: null };
    this.seen.push(seen);
    const answer = await this.#answer(request, bytes, seen);
    seen.endedAt = performance.now();
    if (answer === "lost") return void response.destroy();
    seen.status = answer.status;
    if (answer.status >= 400) {
      seen.code = text(readJson(answer.body).code) || null;
      seen.retryAfter = answer.headers["retry-after"] === undefined ? null : Number(answer.headers["retry-after"]);
    }
    response.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length }).end(answer.body);
  }

  async #answer(request: IncomingMessage, bytes: Buffer, seen: Seen): Promise<Answer | "lost"> {
    const { operation, txId } = seen;
    const count = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, count);
    const headers = this.#withRightClock(request, bytes, operation);
    if (headers === null) return refusal("stale_timestamp", { members: { server_time: this.#now().toISOString() } });
    const trouble = this.#options.interfere?.({ operation, count, txId, made: this.effects.made }) ?? null;
    if (trouble !== null && "refuse" in trouble) return refusal(trouble.refuse, trouble);
    const key = seen.idempotencyKey === null ? null : `${operation} ${seen.idempotencyKey}`;
    if (key !== null && this.#underWay.has(key)) return refusal("idempotency_in_progress", { retryAfter: 1 });
    if (trouble !== null && "delayMs" in trouble) await this.#delay(key, trouble.delayMs);
    const answer = await forward(this.#place.baseUrl, request, headers, bytes);
    const shown = this.#taken(seen, answer);
    if (trouble === null || !("lose" in trouble)) return shown;
    if (trouble.andThen === "kill") this.#options.onKill?.();
    return "lost";
  }

  /** Meanwhile the same request again is answered as a slow service answers it: it is under way. */
  async #delay(key: string | null, ms: number): Promise<void> {
    if (key !== null) this.#underWay.add(key);
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (key !== null) this.#underWay.delete(key);
  }

  /** Notes what the answer says was done. The client sees a field that it does not know: fields are added without notice. */
  #taken(seen: Seen, answer: Answer): Answer {
    if (answer.status >= 300) return answer;
    const answered = readJson(answer.body);
    if (seen.operation === "time" && this.#options.clockOffsetSeconds) {
      const now = this.#now();
      return written(answer, { ...answered, now: now.toISOString(), epoch_seconds: Math.floor(now.getTime() / 1_000) });
    }
    const txId = text(answered.tx_id) || text(answered.batch_id) || (isOrder(seen.operation) ? text(answered.id) : "");
    if (txId === "") return answer;
    seen.txId ??= txId;
    if (seen.operation === "create") this.effects.made.set(txId, Number(answered.destination_amount));
    if (seen.operation === "confirm") this.effects.confirmed.set(txId, text(answered.external_tx_id));
    const shown: Record<string, unknown> = {
      ...answered,
      ...this.#options.alter?.(seen.operation, answered),
      certified_by: "settle certify",
    };
    seen.shown = text(shown.status) || null;
    return written(answer, shown);
  }

  /**
   * The headers to forward. In a scenario with a wrong clock, the proxy signs again by the sandbox's clock what the client signed by the
   * wrong one; a wrong signature stays wrong. Null: by the wrong clock its timestamp is stale.
   */
  #withRightClock(request: IncomingMessage, body: Buffer, operation: string): IncomingHttpHeaders | null {
    const { clockOffsetSeconds = 0 } = this.#options;
    const timestamp = this.#header(request, "timestamp");
    if (clockOffsetSeconds === 0 || operation === "time" || timestamp === "") return request.headers;
    if (Math.abs(Number(timestamp) - Math.floor(this.#now().getTime() / 1_000)) > 300) return null;
    const [path = "", ...query] = (request.url ?? "").split("?");
    const signed: SignedRequest = { timestamp, method: request.method ?? "", path, query: query.join("?"), body };
    const { brand, apiSecret } = this.#place;
    if (!signatureMatches(apiSecret, signed, this.#header(request, "signature"))) return request.headers;
    const right = { ...signed, timestamp: String(Number(timestamp) - clockOffsetSeconds) };
    const name = (part: string) => `x-${brand.toLowerCase()}-${part}`;
    return { ...request.headers, [name("timestamp")]: right.timestamp, [name("signature")]: sign(apiSecret, right) };
  }

  #now(): Date {
    return new Date(Date.now() + (this.#options.clockOffsetSeconds ?? 0) * 1_000);
  }

  #header(request: IncomingMessage, part: string): string {
    return text(request.headers[`x-${this.#place.brand.toLowerCase()}-${part}`]);
  }
}

/** As the client sent it, its `Host` too, which may be signed. */
async function forward(baseUrl: string, { method, url }: IncomingMessage, headers: IncomingHttpHeaders, body: Buffer): Promise<Answer> {
  const { origin } = new URL(baseUrl);
  const { request } = origin.startsWith("https:") ? https : http;
  const { connection: _, "transfer-encoding": __, ...kept } = headers;
  return await new Promise((resolve, reject) => {
    const sent = request(origin, { method, path: url, headers: { ...kept, "content-length": body.length }, agent: false }, (response) => {
      const { connection: _own, "transfer-encoding": _coding, ...rest } = response.headers;
      readBytes(response).then((bytes) => resolve({ status: response.statusCode ?? 502, headers: rest, body: bytes }), reject);
    });
    sent.once("error", reject).end(body);
  });
}

/** The service's answer, where the sandbox cannot be made to give it to one client only. */
function refusal(code: RefusalCode, { retryAfter, members }: { retryAfter?: number; members?: object } = {}): Answer {
  const { status, title } = REFUSAL_STATUS[code];
  const about = { type: `https://certify.invalid/docs/errors/${code}`, title, status, detail: `${title}.`, code };
  const body = problemSchema.parse({ ...about, request_id: `req_${randomUUID()}`, ...members });
  const wait = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return written({ status, headers: { "content-type": "application/problem+json", ...wait }, body: Buffer.alloc(0) }, body);
}

function written(answer: Answer, body: object): Answer {
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

async function readBytes(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function readJson(bytes: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(bytes.toString("utf8")));
  } catch {
    return {};
  }
}

function isOrder(operation: string): boolean {
  return operation === "create" || operation === "get";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
