import { hexText, utf8Bytes } from "#domain/bytes.ts";
import { messageOf, rightDraft } from "#domain/signature-debugger/drafts.ts";

/** The request as entered in the form. `target`: the path, with its query after a `?`. */
export type Draft = { method: string; target: string; body: string; signed: boolean; apiKey: string; apiSecret: string };
export type HeaderNames = { timestamp: string; nonce: string; signature: string };
export type QueryBoundary = { sent: string; status: string; headers: string; body: string };

/** Why the request cannot be sent; null: it can. */
export function faultOf({ apiKey, apiSecret, signed, target }: Draft): string | null {
  if (/^key_live_/.test(apiKey.trim())) return "This is a key of live mode. It does not belong in a web page. Use a key of the sandbox.";
  if (apiKey.trim() === "") return "Fill in the API key.";
  if (signed && apiSecret.trim() === "") return "Fill in the API secret. This page signs the request with it.";
  const missing = /\{(\w+)\}/.exec(target)?.[1];
  if (missing !== undefined) return `Put the ${missing} into the path, in place of {${missing}}.`;
  if (!target.startsWith("/")) return "The path must begin with a slash.";
  // Two slashes, or a slash and a backslash, would begin another host.
  return /^\/[/\\]/.test(target) ? "The path must begin with only one slash, because this page calls only this service." : null;
}

/** Signs with the browser's own crypto, and sends only to the service that served the page. */
export async function send(draft: Draft, names: HeaderNames): Promise<QueryBoundary> {
  const { method, target, signed, apiKey } = draft;
  const body = method === "GET" ? "" : draft.body;
  const headers = {
    ...(body === "" ? {} : { "Content-Type": "application/json" }),
    ...(signed ? { Authorization: apiKey.trim() } : { apiKey: apiKey.trim() }),
    // A key of the other surface may have to sign its changes, and always may.
    ...(signed || (method !== "GET" && draft.apiSecret.trim() !== "") ? await signatureHeaders({ ...draft, body }, names) : {}),
  };
  const sent = [`${method} ${target}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", body].join("\n");
  const init = { method, headers, credentials: "omit", redirect: "error", cache: "no-store" } as const;
  const answer = await fetch(target, body === "" ? init : { ...init, body });
  const headerLines = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return { sent, status: `${answer.status} ${answer.statusText}`.trim(), headers: headerLines, body: laidOut(await answer.text()) };
}

async function signatureHeaders({ method, target, body, apiSecret }: Draft, names: HeaderNames): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? "" : target.slice(question + 1);
  const message = messageOf(rightDraft({ timestamp, method, path, query, body: utf8Bytes(body) }, apiSecret.trim()));
  const key = await crypto.subtle.importKey("raw", utf8Bytes(apiSecret.trim()), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  return {
    [names.timestamp]: timestamp,
    [names.nonce]: crypto.randomUUID(),
    [names.signature]: hexText(signature),
  };
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
