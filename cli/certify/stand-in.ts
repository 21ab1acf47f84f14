import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { problemSchema } from "#contract/problem.ts";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { newId } from "#domain/ids.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import { signatureMatches } from "#domain/signing.ts";
import { type Answer, Books, Refuse, type Route, routeOf } from "./stand-in-books.ts";

/** What a client did, request by request. */
export type Seen = {
  operation: string;
  body: string;
  nonce: string;
  idempotencyKey: string | null;
  /** The settlement that it names or made, and the reference that it was confirmed under. */
  txId: string | null;
  externalTxId: string | null;
  /** Milliseconds of one clock: when it came, and when its answer went (or was lost). */
  at: number;
  endedAt: number;
  status: number | "lost";
  code: string | null;
  retryAfter: number | null;
};

/** What stands in the way of a request, which is the `count`th of its operation. */
export type Trouble =
  | { refuse: RefusalCode; retryAfter?: number; members?: object }
  | { lose: "answer"; andThen?: "kill" }
  | { delayMs: number };
export type Interference = (request: { operation: string; count: number; body: Record<string, unknown>; books: Books }) => Trouble | null;

export type StandIn = {
  url: string;
  apiKey: string;
  apiSecret: string;
  callbackSecret: string;
  seen: Seen[];
  books: Books;
  close(): Promise<void>;
};

type Options = { interfere?: Interference; clockOffsetSeconds?: number; needsApproval?: boolean; onKill?: () => void };

/**
 * A server on this machine that speaks the contract as the service does, out of the same schemas, keeps everything in memory, and gets in
 * the way where it is told to. Its quotes are worth nothing.
 */
export async function openStandIn(options: Options = {}): Promise<StandIn> {
  const keys = {
    apiKey: `key_test_${randomBytes(16).toString("hex")}`,
    apiSecret: `sec_test_${randomBytes(24).toString("base64url")}`,
    callbackSecret: `whsec_${randomBytes(32).toString("base64")}`,
  };
  const books = new Books({ ...keys, needsApproval: options.needsApproval ?? false });
  const seen: Seen[] = [];
  const desk = new Desk(keys, books, seen, options);
  const server = createServer((request, response) => void desk.serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");
  return { ...keys, url: `http://127.0.0.1:${address.port}`, seen, books, close: () => close(server) };
}

type Keys = { apiKey: string; apiSecret: string };

class Desk {
  readonly #nonces = new Set<string>();
  readonly #kept = new Map<string, { body: string; answer: Answer }>();
  readonly #counts = new Map<string, number>();
  readonly #underWay = new Set<string>();

  readonly #keys: Keys;
  readonly #books: Books;
  readonly #seen: Seen[];
  readonly #options: Options;

  constructor(keys: Keys, books: Books, seen: Seen[], options: Options) {
    this.#keys = keys;
    this.#books = books;
    this.#seen = seen;
    this.#options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const [path = "", ...more] = (request.url ?? "").split("?");
    const route = routeOf(request.method ?? "", path);
    const seen: Seen = {
      operation: route?.operation ?? "unknown",
      body: bytes.toString("utf8"),
      nonce: header(request, "x-service-nonce"),
      idempotencyKey: header(request, "idempotency-key") || null,
      txId: null,
      externalTxId: null,
      at: performance.now(),
      endedAt: 0,
      status: "lost" as const,
      code: null,
      retryAfter: null,
    };
    this.#seen.push(seen);
    let answer: Answer | "lost";
    try {
      if (route === null) throw new Refuse("route_not_found");
      if (route.operation !== "time")
        this.#authenticate(request, { method: request.method ?? "", path, query: more.join("?"), body: bytes });
      answer = await this.#answer(route, seen);
    } catch (error) {
      if (!(error instanceof Refuse)) throw error;
      answer = this.#problem(error);
      Object.assign(seen, { code: error.code, retryAfter: error.retryAfter });
    }
    seen.endedAt = performance.now();
    if (answer === "lost") return void response.destroy();
    seen.status = answer.status;
    const type = answer.status >= 400 ? "application/problem+json" : "application/json";
    response.writeHead(answer.status, { "Content-Type": type, "X-Request-Id": newId("request", new Date()), ...answer.headers });
    response.end(JSON.stringify(answer.body));
  }

  /** The checks of the contract's part 3, in their order. */
  #authenticate(request: IncomingMessage, wire: { method: string; path: string; query: string; body: Uint8Array }): void {
    const [apiKey, timestamp, nonce, signature] = [
      header(request, "authorization"),
      header(request, "x-service-timestamp"),
      header(request, "x-service-nonce").toLowerCase(),
      header(request, "x-service-signature"),
    ];
    if (apiKey === "" || timestamp === "" || nonce === "" || signature === "") throw new Refuse("missing_credentials");
    if (apiKey !== this.#keys.apiKey) throw new Refuse("unknown_api_key");
    const now = Date.now() + (this.#options.clockOffsetSeconds ?? 0) * 1_000;
    const skew = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) - Math.floor(now / 1_000) : null;
    if (skew === null || Math.abs(skew) > 300)
      throw new Refuse("stale_timestamp", { members: { server_time: new Date(now).toISOString(), skew_seconds: skew } });
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(nonce)) throw new Refuse("invalid_nonce");
    if (!signatureMatches(this.#keys.apiSecret, { ...wire, timestamp }, signature)) throw new Refuse("signature_mismatch");
    if (this.#nonces.has(nonce)) throw new Refuse("nonce_reused");
    this.#nonces.add(nonce);
  }

  async #answer(route: Route, seen: Seen): Promise<Answer | "lost"> {
    const { operation } = route;
    const told = this.#books.read(route, seen.body);
    seen.txId = route.txId ?? text(told.tx_id);
    seen.externalTxId = text(told.external_tx_id);
    const count = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, count);
    const trouble = this.#options.interfere?.({ operation, count, body: told, books: this.#books }) ?? null;
    if (trouble !== null && "delayMs" in trouble) await this.#delay(placeOf(route, seen), trouble.delayMs);
    if (trouble !== null && "refuse" in trouble) {
      const { refuse, ...more } = trouble;
      if ([429, 500, 503].includes(REFUSAL_STATUS[refuse].status)) this.#nonces.delete(seen.nonce.toLowerCase());
      throw new Refuse(refuse, more);
    }
    if (this.#underWay.has(placeOf(route, seen) ?? "")) throw new Refuse("idempotency_in_progress", { retryAfter: 1 });
    const answer = this.#once(route, seen, told);
    seen.txId ??= text(Object(answer.body).tx_id);
    if (trouble === null || !("lose" in trouble)) return answer;
    if (trouble.andThen === "kill") this.#options.onKill?.();
    return "lost";
  }

  /** Meanwhile the same again is told that it is under way. */
  async #delay(place: string | null, ms: number): Promise<void> {
    if (place !== null) this.#underWay.add(place);
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (place !== null) this.#underWay.delete(place);
  }

  /** What an Idempotency-Key keeps is answered again. */
  #once(route: Route, seen: Seen, told: Record<string, unknown>): Answer {
    const place = placeOf(route, seen);
    const kept = place === null ? undefined : this.#kept.get(place);
    if (kept !== undefined && kept.body !== seen.body) throw new Refuse("idempotency_key_reused");
    if (kept !== undefined) return { ...kept.answer, headers: { ...kept.answer.headers, "Idempotent-Replayed": "true" } };
    let answer: Answer;
    try {
      answer = this.#books.act(route, told);
    } catch (error) {
      if (place !== null && error instanceof Refuse) this.#kept.set(place, { body: seen.body, answer: this.#problem(error) });
      throw error;
    }
    if (place !== null) this.#kept.set(place, { body: seen.body, answer });
    return answer;
  }

  #problem({ code, retryAfter, members }: Refuse): Answer {
    const { status, title } = REFUSAL_STATUS[code];
    const told = {
      type: `https://certify.invalid/docs/errors/${code}`,
      title,
      status,
      detail: `${title}.`,
      code,
      request_id: `req_${randomUUID()}`,
    };
    return {
      status,
      headers: retryAfter === null ? {} : { "Retry-After": String(retryAfter) },
      body: problemSchema.parse({ ...told, ...members }),
    };
  }
}

/** What an Idempotency-Key belongs to; null: there is none. */
function placeOf({ operation, method, txId }: Route, { idempotencyKey }: Seen): string | null {
  return method === "POST" && idempotencyKey !== null ? `${operation} ${txId} ${idempotencyKey}` : null;
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
