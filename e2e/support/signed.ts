import { type Answer, exchange, type Header, type Outgoing } from "#sandbox/client/exchange.ts";
import { type Credentials, type SigningChoice, signedHeaders } from "#sandbox/client/signing.ts";
import { BASE_URL, sandbox } from "./running-sandbox.ts";

/** Signed requests that a story changes before they are sent. */

export type Draft = Outgoing & { headers: readonly Header[] };
type Wanted = Partial<Pick<Outgoing, "method" | "target" | "body">> & SigningChoice & { credentials?: Credentials };

/** A rightly signed request: an echo of a small body, unless said. */
export function draft({ method = "POST", target = "/api/v1/echo", body, credentials = sandbox.partner, ...choice }: Wanted = {}): Draft {
  const bytes = body ?? (method === "POST" ? '{"hello": 1}' : undefined);
  return { method, target, body: bytes, headers: signedHeaders(credentials, { method, target, body: bytes }, choice) };
}

const named = (name: string) => (header: Header) => header[0].toLowerCase() === name.toLowerCase();

export function without(request: Draft, name: string): Draft {
  return { ...request, headers: request.headers.filter((header) => !named(name)(header)) };
}

/** The header with another value. */
export function withHeader(request: Draft, name: string, value: string): Draft {
  return { ...request, headers: [...without(request, name).headers, [name, value]] };
}

/** The header a second time. */
export function doubled(request: Draft, name: string, value?: string): Draft {
  const own = request.headers.find(named(name));
  if (own === undefined) throw new Error(`there is no ${name} to double`);
  return { ...request, headers: [...request.headers, [name, value ?? own[1]]] };
}

export function headerOf(request: Draft, name: string): string {
  const own = request.headers.find(named(name));
  if (own === undefined) throw new Error(`there is no ${name}`);
  return own[1];
}

export const send = (request: Draft): Promise<Answer> => exchange(BASE_URL, request);
