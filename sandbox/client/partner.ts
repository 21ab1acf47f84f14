import { type Answer, exchange, type Header } from "./exchange.ts";
import { type Credentials, signedHeaders } from "./signing.ts";

/** A partner's client of the settlement surface: every request signed, every answer handed back as it came. */
export type PartnerClient = {
  get(target: string, headers?: readonly Header[]): Promise<Answer>;
  /** A text or bytes are sent unchanged, anything else as JSON; omitted, there is no body. */
  post(target: string, body?: unknown, headers?: readonly Header[]): Promise<Answer>;
  call(method: string, target: string, body?: unknown, headers?: readonly Header[]): Promise<Answer>;
};

export function partnerClient(baseUrl: string, credentials: Credentials): PartnerClient {
  async function send(method: string, target: string, body: string | Buffer | undefined, headers: readonly Header[]): Promise<Answer> {
    return exchange(baseUrl, { method, target, body, headers: [...signedHeaders(credentials, { method, target, body }), ...headers] });
  }
  return {
    get: (target, headers = []) => send("GET", target, undefined, headers),
    post: (target, body, headers = []) => send("POST", target, asBytes(body), headers),
    call: (method, target, body, headers = []) => send(method, target, asBytes(body), headers),
  };
}

/** The operator's client: the `apiKey` header, no signature. */
export type OperatorClient = Pick<PartnerClient, "call">;

export function operatorClient(baseUrl: string, { api_key }: Pick<Credentials, "api_key">): OperatorClient {
  return {
    call: (method, target, body, headers = []) =>
      exchange(baseUrl, {
        method,
        target,
        body: asBytes(body),
        headers: [["apiKey", api_key], ["Content-Type", "application/json"], ...headers],
      }),
  };
}

function asBytes(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === "string" || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}
