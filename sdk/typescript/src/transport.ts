import { Refused, SettlementError, Unanswered } from "./errors.ts";
import { newNonce, signRequest } from "./signing.ts";
import { VERSION } from "./version.ts";

export type Options = {
  /** The service's address: `https://api.example.com`. */
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
  /** The brand in the names of the signing headers. */
  brand?: string;
  /** The timeout of one attempt. Longer than the service's own, so that the service gives up first. */
  timeoutMs?: number;
  /** The most attempts of a call. */
  attempts?: number;
  /** A refusal that asks for a longer wait than this is thrown instead. */
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

export type QueryBoundary = { status: number; headers: Headers; body: unknown };

type Prepared = { url: URL; sent: RequestInit };

const FIRST_WAIT_MS = 250;
const REASONS_TO_REPEAT = [408, 429, 500, 502, 503, 504];

/** Identifies the SDK to the operator. Browsers set their own, and would need another origin's permission for ours. */
const USER_AGENT: Record<string, string> = globalThis.navigator?.userAgent?.startsWith("Mozilla/")
  ? {}
  : { "User-Agent": `settlement-sdk-typescript/${VERSION}` };

/** Sends calls: each attempt is signed again, with the service's clock, until there is a final answer. */
export class Transport {
  readonly #options: Required<Options>;
  /** How far the service's clock is ahead of this machine's. */
  #aheadMs = 0;

  /** @throws TypeError for invalid options: nothing is sent with them */
  constructor(options: Options) {
    const usual = { brand: "Service", timeoutMs: 35_000, attempts: 4, longestWaitMs: 20_000, fetch: globalThis.fetch };
    this.#options = checked({ ...usual, ...options });
  }

  /** The service's clock, according to its last refusal. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** @throws Refused, Unanswered */
  async send(call: Call): Promise<QueryBoundary> {
    if (call.method === "POST" && call.surface !== "open" && !call.idempotencyKey)
      throw new SettlementError("a POST needs an idempotency key");
    let corrected = false;
    let trouble: unknown;
    for (let attempt = 1; ; attempt += 1) {
      let wait: number | null = null;
      const request = await this.#prepare(call);
      const answered = await this.#exchange(request, call.signal).catch((error: unknown) => {
        // Without an answer it is unknown whether anything happened. An error before the request goes out is thrown unchanged.
        if (call.signal?.aborted) throw error;
        trouble = error;
        return null;
      });
      if (answered !== null) {
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
      }
      const pause = wait ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
      if (attempt >= this.#options.attempts || pause > this.#options.longestWaitMs) break;
      await sleep(pause, call.signal);
    }
    if (trouble instanceof Refused) throw trouble;
    throw new Unanswered(`${call.method} ${call.path}: no answer`, { cause: trouble });
  }

  /** One request. The signed address is the sent one, as `fetch` writes it. */
  async #prepare(call: Call): Promise<Prepared> {
    const url = new URL(`${this.#options.baseUrl}${call.path}${queryOf(call.query)}`);
    const body = call.body === undefined ? "" : stable(call.body);
    const headers = new Headers({ "Content-Type": "application/json", ...USER_AGENT, ...(await this.#credentials(call, url, body)) });
    const sent: RequestInit = { method: call.method, headers, redirect: "manual" };
    return { url, sent: body === "" ? sent : { ...sent, body } };
  }

  async #exchange({ url, sent }: Prepared, signal: AbortSignal | undefined): Promise<QueryBoundary> {
    // Called as a plain function: browsers and workerd refuse a fetch that is called as a method of another object.
    const { fetch, timeoutMs } = this.#options;
    const own = new AbortController();
    const end = () => own.abort(signal?.reason);
    const timer = setTimeout(() => own.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    try {
      const answer = await fetch(url, { ...sent, signal: own.signal });
      const text = await answer.text();
      return { status: answer.status === 0 ? 502 : answer.status, headers: answer.headers, body: read(text) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }

  async #credentials({ surface, method, idempotencyKey }: Call, url: URL, body: string): Promise<Record<string, string>> {
    const { apiKey, apiSecret, brand } = this.#options;
    if (surface === "open") return {};
    const key = surface === "settlement" ? { Authorization: apiKey } : { apiKey };
    const repeat = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const timestamp = String(Math.floor((Date.now() + this.#aheadMs) / 1_000));
    const signature = await signRequest(apiSecret, { timestamp, method, path: url.pathname, query: url.search.slice(1), body });
    const signed = { [`X-${brand}-Timestamp`]: timestamp, [`X-${brand}-Nonce`]: await newNonce(), [`X-${brand}-Signature`]: signature };
    return { ...key, ...repeat, ...signed };
  }

  /** From the refusal itself, otherwise from `/time`. */
  async #setClock({ members }: Refused): Promise<void> {
    const serverTime = members.server_time ?? Object(await this.send({ surface: "open", method: "GET", path: "/time" })).body?.now;
    const now = Date.parse(String(serverTime));
    if (!Number.isNaN(now)) this.#aheadMs = now - Date.now();
  }
}

/** @throws TypeError for options with which no call is possible */
function checked(options: Required<Options>): Required<Options> {
  const { baseUrl } = options;
  for (const name of ["apiKey", "apiSecret", "brand"] as const)
    if (typeof options[name] !== "string" || options[name] === "") throw new TypeError(`${name} is missing: give it as a text`);
  const address = addressOf(baseUrl);
  if (address === null || !["http:", "https:"].includes(address.protocol) || address.search !== "" || address.hash !== "")
    throw new TypeError(`baseUrl is the service's address, such as https://api.example.com, not ${JSON.stringify(baseUrl)}`);
  if (/\/api\/v1\/*$/.test(address.pathname)) throw new TypeError("baseUrl ends before /api/v1: the client adds each operation's path");
  for (const [name, least] of [
    ["timeoutMs", 1],
    ["attempts", 1],
    ["longestWaitMs", 0],
  ] as const)
    if (!(options[name] >= least)) throw new TypeError(`${name} is a number of at least ${least}`);
  if (typeof options.fetch !== "function") throw new TypeError("fetch is missing: this runtime has none of its own, so give one");
  return { ...options, baseUrl: baseUrl.replace(/\/+$/, "") };
}

function addressOf(baseUrl: string): URL | null {
  try {
    return new URL(baseUrl);
  } catch {
    return null;
  }
}

/** The same bytes for the same value, in any order of its members: a repeat must not differ. */
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
