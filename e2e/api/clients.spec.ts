import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { settlementSchema } from "#contract/settlement/v1/settlement.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { createBody, SETTLEMENTS } from "../support/settlements.ts";

/** Contract, part 3, by clients in other languages: real requests of Python and of OpenSSL with curl. */

const run = promisify(execFile);
const clientFile = (name: string) => fileURLToPath(new URL(`../clients/${name}`, import.meta.url));
const CLIENTS = {
  python: ["python3", clientFile("sign.py")],
  openssl: ["bash", clientFile("sign.sh")],
} as const;

/** Runs the client; answers the status that it wrote to stderr and the body of its stdout. */
async function call(client: keyof typeof CLIENTS, ...request: string[]): Promise<{ status: number; text: string }> {
  const [program, script] = CLIENTS[client];
  const { api_key, api_secret } = sandbox.partner;
  const env = { ...process.env, API_KEY: api_key, API_SECRET: api_secret };
  const { stdout, stderr } = await run(program, [script, ...request], { env });
  return { status: Number(stderr.trim()), text: stdout };
}

for (const client of ["python", "openssl"] as const) {
  test(`${client}: a POST with a body is accepted`, async () => {
    const body = JSON.stringify(createBody({ external_merchant_id: "Käthe’s 店" }));
    const { status, text } = await call(client, "POST", BASE_URL, SETTLEMENTS, body);
    expect(status, text).toBe(201);
    expect(settlementSchema.parse(JSON.parse(text)).external_merchant_id).toBe("Käthe’s 店");
  });

  test(`${client}: a GET with a query is accepted`, async () => {
    const { status, text } = await call(
      client,
      "GET",
      BASE_URL,
      `${SETTLEMENTS}?limit=2&external_merchant_id=K%C3%A4the%e2%80%99s%20%E5%BA%97`,
    );
    expect(status, text).toBe(200);
    expect(JSON.parse(text)).toHaveProperty("next_cursor");
  });

  test(`${client}: a POST without a body, and the echo of a strange query, are accepted`, async () => {
    const created = JSON.parse((await call(client, "POST", BASE_URL, SETTLEMENTS, JSON.stringify(createBody()))).text);
    const cancelled = await call(client, "POST", BASE_URL, `${SETTLEMENTS}/${created.tx_id}/cancel`);
    expect(cancelled.status, cancelled.text).toBe(200);
    const echo = await call(client, "POST", BASE_URL, "/api/v1/echo?a=%7e'&&b=a+b%20c", "{}");
    expect(JSON.parse(echo.text)).toMatchObject({ query: "a=%7e'&&b=a+b%20c" });
  });
}
