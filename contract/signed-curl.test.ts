import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signatureMatches } from "#domain/signing.ts";
import { type SignedCall, signedCurl } from "./signed-curl.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signed-curl-"));
  // curl's arguments.
  writeFileSync(join(folder, "curl"), `#!/bin/sh\nprintf '%s\\0' "$@"\n`);
  chmodSync(join(folder, "curl"), 0o755);
  writeFileSync(join(folder, "body.json"), '{"from": "a file"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the text in the strictest shell, with a curl that only prints its arguments. */
function paste(text: string): string[] {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, API_KEY: "key_test_1", API_SECRET: "sec_test_$'1" };
  const output = execFileSync("/bin/sh", ["-eu", "-c", text], { encoding: "utf8", env, cwd: folder });
  return output.split("\0").slice(0, -1);
}

const at = { baseUrl: "https://api.example.com/", brand: "Acme" };
const CALLS: Record<string, SignedCall> = {
  "a read with a query": { ...at, method: "GET", path: "/api/v1/rates/preview", query: "chain=eip155%3A1&source_amount=100" },
  "a read without one": { ...at, method: "GET", path: "/api/v1/settlements/tx_1" },
  "a body with quotes, dollars and lines": { ...at, method: "POST", path: "/api/v1/echo", body: '{\n  "a": "it\'s $HOME `id` \\\\n €"\n}' },
  "a body from a file": { ...at, method: "PUT", path: "/partners/members/m%201", body: { file: "body.json" } },
  "a path of odd characters": { ...at, method: "DELETE", path: "/api/v1/it's{1..3}/$x", query: "a=[1]&b='c'" },
};

describe.each(Object.entries(CALLS))("a signed call as pasted: %s", (_, call) => {
  it("sends what it signs, under a nonce of the right form, on any POSIX system", () => {
    const text = signedCurl(call);
    expect(text).not.toMatch(/\/proc|uuidgen|node /);
    const [first, second] = [paste(text), paste(text)];
    const header = (args: readonly string[], name: string) =>
      args.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
    const url = first.find((each) => each.startsWith("https://")) ?? "";
    expect(url).toBe(`https://api.example.com${call.path}${call.query ? `?${call.query}` : ""}`);
    const body = first.includes("--data-raw") ? (first[first.indexOf("--data-raw") + 1] ?? "") : "";
    expect(body).toBe(typeof call.body === "object" ? readFileSync(join(folder, call.body.file), "utf8") : (call.body ?? ""));
    const { method, path, query = "" } = call;
    const signed = { timestamp: header(first, "X-Acme-Timestamp"), method, path, query, body: Buffer.from(body) };
    expect(signatureMatches("sec_test_$'1", signed, header(first, "X-Acme-Signature"))).toBe(true);
    for (const args of [first, second])
      expect(header(args, "X-Acme-Nonce")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(header(first, "X-Acme-Nonce")).not.toBe(header(second, "X-Acme-Nonce"));
    expect(header(first, path.startsWith("/api/v1/") ? "Authorization" : "apiKey")).toBe("key_test_1");
    expect(first.includes("-X") ? first[first.indexOf("-X") + 1] : body === "" ? "GET" : "POST").toBe(method);
  });
});
