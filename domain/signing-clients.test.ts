import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const VECTORS = fileURLToPath(new URL("../docs/signing-vectors.json", import.meta.url));
const SECRET = "sec_test_clients";

type Run = { code: number; stdout: string; stderr: string };
function run(client: string, args: string[], env: Record<string, string> = {}): Promise<Run> {
  const file = fileURLToPath(new URL(`../e2e/clients/${client}`, import.meta.url));
  return new Promise((resolve) => {
    execFile(file, args, { env: { NODE_ENV: "test", PATH: process.env.PATH, ...env }, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, stdout, stderr });
    });
  });
}

/** A server that verifies the signature from the specification's sentence alone, and returns what it saw. */
function judge(brand: string): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const [path = "", ...rest] = (request.url ?? "").split("?");
    const header = (name: string) => String(request.headers[`x-${brand}-${name}`]);
    const head = [header("timestamp"), request.method, path, rest.join("?"), ""].join("\n");
    const verified = createHmac("sha256", SECRET).update(head).update(body).digest("hex") === header("signature");
    const { authorization, "content-type": contentType } = request.headers;
    const nonceIsV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(header("nonce"));
    response.statusCode = verified ? 200 : 401;
    response.end(JSON.stringify({ verified, nonceIsV4, authorization, contentType, url: request.url, body: body.toString("utf8") }));
  });
}

describe.each(["sign.py", "sign.sh"])("%s", (client) => {
  const server = judge("acme");
  let baseUrl = "";
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "signing-clients-"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new TypeError("the server has no port");
    baseUrl = `http://127.0.0.1:${address.port}`;
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  it("agrees with every published vector", async () => {
    const { vectors } = JSON.parse(await readFile(VECTORS, "utf8"));
    expect(await run(client, ["--vectors", VECTORS])).toEqual({
      code: 0,
      stdout: `${vectors.length} of ${vectors.length} vectors match\n`,
      stderr: "",
    });
  });

  it("notices one signature that is wrong, and a file without vectors", async () => {
    const wrong = join(folder, "wrong.json");
    await writeFile(wrong, (await readFile(VECTORS, "utf8")).replace("o'neill", "o%27neill"));
    expect(await run(client, ["--vectors", wrong])).toMatchObject({ code: 1, stderr: "mismatch: an apostrophe stays\n" });
    const none = join(folder, "none.json");
    await writeFile(none, '{"vectors": []}\n');
    expect(await run(client, ["--vectors", none])).toMatchObject({ code: 1 });
  });

  it.each([
    ["GET", "/api/v1/settlements?a=%7e&b=%7E", undefined],
    ["GET", "/api/v1/settlements?o'neill=a+b%20c", undefined],
    ["GET", "/api/v1/settlements?a&&b=&", undefined],
    ["GET", "/api/v1/settlements?", undefined],
    ["GET", "/api//v1/../x%2f?a={1}[2]?b", undefined],
    ["POST", "/api/v1/settlements/cancel", undefined],
    ["POST", "/api/v1/echo", '@{"a": "Ñandú 🦁", "b": "%s $HOME \\\\n"}\n'],
  ])("sends to %s %s the very bytes that it signed", async (method, target, body) => {
    const env = { API_KEY: "key_test_clients", API_SECRET: SECRET, BRAND: "Acme" };
    const { code, stdout, stderr } = await run(client, [method, baseUrl, target, ...(body === undefined ? [] : [body])], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "200\n" });
    expect(JSON.parse(stdout)).toEqual({
      verified: true,
      nonceIsV4: true,
      authorization: "key_test_clients",
      contentType: "application/json",
      url: target,
      body: body ?? "",
    });
  });

  it("says what is missing instead of sending", async () => {
    expect(await run(client, ["GET"])).toMatchObject({ code: 2, stdout: "" });
    const unset = await run(client, ["GET", baseUrl, "/"], { API_KEY: "key_test_clients" });
    expect(unset).toMatchObject({ stdout: "", stderr: expect.stringContaining("API_SECRET") });
    expect(unset.code).toBeGreaterThan(0);
  });

  it("fails when nobody answers", async () => {
    const env = { API_KEY: "key_test_clients", API_SECRET: SECRET };
    expect((await run(client, ["GET", "http://127.0.0.1:1", "/"], env)).code).toBeGreaterThan(0);
  });
});
