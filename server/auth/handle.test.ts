import { describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import { addressBlock } from "#domain/address-block.ts";
import { createRateLimiter } from "#server/rest/rate-limiter.ts";
import { testContext } from "#testing/surface.ts";
import { openConsoleGate } from "./console-gate.ts";
import { handleAuth } from "./handle.ts";

const away = openDatabase({ url: "postgres://x@127.0.0.1:1/x", applicationName: "away", maxConnections: 1 });
const config = { baseUrl: "http://localhost:3000", port: 3_000, vaultKeys: [{ key: new Uint8Array(32) }] };

function parts(signInsPerSecond = 0) {
  const gate = openConsoleGate({ callsPerSecond: 0, signInsPerSecond }, { take: createRateLimiter().take, clientOf: addressBlock });
  return { ctx: testContext(away.db), config, gate };
}

async function ask(web: ReturnType<typeof parts>, path: string, init: RequestInit = {}) {
  const request = new Request(`http://localhost:3000/api/auth/${path}`, {
    ...init,
    headers: { "x-client-address": "10.2.2.2", ...init.headers },
  });
  const response = await handleAuth(web, request, { params: Promise.resolve({ nextauth: path.split("/") }) });
  return { status: response.status, headers: response.headers, url: String((await response.json()).url) };
}
const CREDENTIALS = "callback/credentials";
const form = { method: "POST", body: new URLSearchParams({ email: "x" }) };

describe("what of signing in is not served", () => {
  it.each<[string, string, RequestInit, number, string | null]>([
    ["a GET of the form's address", CREDENTIALS, {}, 405, "POST"],
    ["a PUT", CREDENTIALS, { method: "PUT", body: "x" }, 405, "POST"],
    ["JSON", CREDENTIALS, { method: "POST", body: "{", headers: { "content-type": "application/json" } }, 415, null],
    ["a form in parts", CREDENTIALS, { method: "POST", body: new FormData() }, 415, null],
    ["another provider", "callback/github", {}, 404, null],
    ["what lets strangers write into the log", "_log", form, 404, null],
    ["a page of another's making", "verify-request", {}, 404, null],
    ["a name of every object", "constructor", {}, 404, null],
  ])("%s is a 4xx", async (_what, path, init, status, allow) => {
    const { status: got, headers } = await ask(parts(), path, init);
    expect([got, headers.get("allow")]).toEqual([status, allow]);
  });

  it("is more than a few attempts a second of one address: 429 with Retry-After, before a password is looked at", async () => {
    const web = parts(1);
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      // An accepted attempt continues in next-auth, which needs a request of Next's: there is none here.
      const { status, headers, url } = await ask(web, CREDENTIALS, form).catch(() => ({ status: 0, headers: new Headers(), url: "" }));
      statuses.push(status);
      if (status !== 429) continue;
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(url).toMatch(/^\/console\/sign-in\?error=rate_limited%3A\d+$/);
    }
    expect(statuses).toEqual([0, 0, 429, 429]);
  });
});
