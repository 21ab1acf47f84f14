import { createHash, createHmac, randomUUID } from "node:crypto";
import type { RequestParts } from "./surface.ts";

/** What a test signs otherwise than is right. `covered`: the covered components; `more`: further parameters. */
export type MessageParts = { created?: number | string; nonce?: string; covered?: string; more?: string };

/** The request as a client's RFC 9421 library would sign it, written from the RFC alone. */
export function messageSigned(key: { apiKey: string; apiSecret: string }, parts: RequestParts, options: MessageParts = {}): RequestParts {
  const { method = "GET", target = "/", body = "" } = parts;
  const { created = Math.floor(Date.now() / 1_000), nonce = randomUUID(), more = "" } = options;
  const covered = options.covered ?? (body === "" ? '("@method" "@target-uri")' : '("@method" "@target-uri" "content-digest")');
  const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
  const input = `${covered};created=${created};nonce="${nonce}";keyid="${key.apiKey}";alg="hmac-sha256"${more}`;
  const values: Record<string, string> = {
    '"@method"': method,
    '"@target-uri"': `http://localhost:3000${target}`,
    '"@path"': target.split("?")[0] ?? "",
    '"content-digest"': digest,
  };
  const names = covered
    .slice(1, -1)
    .split(" ")
    .filter((name) => name !== "");
  const base = [...names.map((name) => `${name}: ${values[name]}`), `"@signature-params": ${input}`].join("\n");
  const signature = createHmac("sha256", key.apiSecret).update(base).digest("base64");
  const headers = {
    Host: "localhost:3000",
    "Content-Digest": digest,
    "Signature-Input": `sig1=${input}`,
    Signature: `sig1=:${signature}:`,
  };
  return { ...parts, headers: { "Content-Type": "application/json", ...headers, ...parts.headers } };
}
