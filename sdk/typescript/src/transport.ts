import { Refused, SettlementError, Unanswered } from "./errors.ts";
import { newNonce, signRequest } from "./signing.ts";

export type Options = {
  /** Where the service is: `https://api.example.com`. */
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** The word in the names of the signing headers. */
  brand?: string;
  /** How long one attempt may take. Longer than the service ever takes, so that it is the service that gives up first. */
  timeoutMs?: number;
  /** How often a call is sent at most. */
  attempts?: number;
  /** A refusal that asks for a longer wait than this is thrown instead of waited for. */
  longestWaitMs?: number;
  fetch?: typeof fetch;
};

export type Call = {
  surface: "settlement" | "partner" | "open";
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: object | undefined;
  body?: unknown;
  /** On every POST: the same for each attempt. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
};

export type Answered = { status: number; headers: Headers; body: unknown };

const FIRST_WAIT_MS = 250;
const REASONS_TO_REPEAT = [408, 429, 500, 502, 503, 504];

/** Sends calls: signed anew for each attempt, with the clock of the service, until there is an answer that counts. */
export class Transport {
  readonly #options: Required<Options>;
  /** How far the service's clock is ahead of this machine's. */
  #aheadMs = 0;

  constructor(options: Options) {
    const usual = { brand: "Service", timeoutMs: 35_000, attempts: 4, longestWaitMs: 20_000, fetch: globalThis.fetch };
    this.#options = { ...usual, ...options, baseUrl: options.baseUrl.replace(/\/+$/, "") };
  }

  get apiKey(): string {
    return this.#options.apiKey;
  }

  /** @throws Refused, Unanswered */
  async send(call: Call): Promise<Answered> {
    if (call.method === "POST" && call.surface !== "open" && !call.idempotencyKey)
      throw new SettlementError("a POST needs an idempotency key");
    let corrected = false;
    let trouble: unknown;
    for (let attempt = 1; ; attempt += 1) {
      let wait: number | null = null;
      try {
        const answered = await this.#attempt(call);
        if (answered.status < 300) return answered;
        const refused = new Refused(answered.status, answered.headers, answered.body);
        if (refused.code === "stale_timestamp" && !corrected) {
          corrected = true;
          await this.#setClock(refused);
          attempt -= 1;
          continue;
        }
        trouble = refused;
        if (!REASONS_TO_REPEAT.includes(refused.status) && refused.code !== "idempotency_in_progress") throw refused;
        wait = refused.retryAfter === null ? null : refused.retryAfter * 1_000;
      } catch (error) {
        if (error instanceof Refused || call.signal?.aborted) throw error;
        trouble = error;
      }
      const pause = wait ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
      if (attempt >= this.#options.attempts || pause > this.#options.longestWaitMs) break;
      await sleep(pause, call.signal);
    }
    if (trouble instanceof Refused) throw trouble;
    throw new Unanswered(`${call.method} ${call.path}: no answer`, { cause: trouble });
  }

  /** One request. What is signed is what goes out: the address as `fetch` writes it. */
  async #attempt(call: Call): Promise<Answered> {
    const { baseUrl, timeoutMs } = this.#options;
    const url = new URL(`${baseUrl}${call.path}${queryOf(call.query)}`);
    const body = call.body === undefined ? "" : stable(call.body);
    const headers = { "Content-Type": "application/json", ...(await this.#credentials(call, url, body)) };
    const own = new AbortController();
    const end = () => own.abort(call.signal?.reason);
    const timer = setTimeout(() => own.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    call.signal?.addEventListener("abort", end, { once: true });
    if (call.signal?.aborted) end();
    try {
      const sent: RequestInit = { method: call.method, headers, redirect: "manual", signal: own.signal };
      const answer = await this.#options.fetch(url, body === "" ? sent : { ...sent, body });
      const text = await answer.text();
      return { status: answer.status === 0 ? 502 : answer.status, headers: answer.headers, body: read(text) };
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", end);
    }
  }

  async #credentials({ surface, method, idempotencyKey }: Call, url: URL, body: string): Promise<Record<string, string>> {
    const { apiKey, apiSecret, brand } = this.#options;
    if (surface === "open") return {};
    const key = surface === "settlement" ? { Authorization: apiKey } : { apiKey };
    const repeat = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    // Reads of the partner-management surface need no signature, and so no nonce.
    if (surface === "partner" && method === "GET") return { ...key };
    const timestamp = String(Math.floor((Date.now() + this.#aheadMs) / 1_000));
    const signature = await signRequest(apiSecret, { timestamp, method, path: url.pathname, query: url.search.slice(1), body });
    const signed = { [`X-${brand}-Timestamp`]: timestamp, [`X-${brand}-Nonce`]: await newNonce(), [`X-${brand}-Signature`]: signature };
    return { ...key, ...repeat, ...signed };
  }

  /** By the refusal's own word, else by `/time`. */
  async #setClock({ members }: Refused): Promise<void> {
    const told = members.server_time ?? Object(await this.send({ surface: "open", method: "GET", path: "/time" })).body?.now;
    const now = Date.parse(String(told));
    if (!Number.isNaN(now)) this.#aheadMs = now - Date.now();
  }
}

/** The same bytes for the same value, in whatever order its members were written: a repeat must not differ. */
export function stable(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

function queryOf(query: object = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`;
}

function read(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
