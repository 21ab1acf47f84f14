import { describe, expect, test } from "vitest";
import { createLog } from "./log.ts";

const SECRETS = {
  apiKey: "key_live_4fjd83jd8sk2ls9d",
  apiSecret: "sec_live_9d8f7s6d5f4g3h2j1k0l",
  callbackSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  signature: "5f2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b",
  webhookSignature: "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  password: "correct-horse-battery",
  cookie: "s%3Aabcdef0123456789",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLWJ5dGVz",
  nodeKey: "a1b2c3d4e5f60718293a4b5c6d7e8f90",
  accessToken: "tok_7Qm2xLr9TzVb4KcW8nYpD5sHf1JgA6eU0iOq3tRkB_M",
  railSecret: "rail_test_4e1f8a2b9c",
  sid: "Zk3vX9qLw2",
  privateKey: "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318",
  databasePassword: "Zx81!spectrum",
};

function capture() {
  const lines: string[] = [];
  return { lines, log: createLog({ level: "info", process: "test", destination: { write: (line) => lines.push(line) } }) };
}

function expectNoSecret(lines: string[]) {
  const all = lines.join("");
  for (const [name, secret] of Object.entries(SECRETS)) expect(all.includes(secret), `${name} in ${all}`).toBe(false);
}

describe("the log", () => {
  test("writes one JSON line per entry, with level, time, process and message", () => {
    const { lines, log } = capture();
    log.child({ requestId: "req_1" }).info({ operation: "createSettlement", status: 201, amount: 12n }, "answered\nwith a line break");
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toContain("\n");
    const entry = JSON.parse(lines[0] ?? "");
    expect(entry).toMatchObject({
      level: "info",
      process: "test",
      requestId: "req_1",
      status: 201,
      amount: "12",
      message: "answered\nwith a line break",
    });
    expect(entry.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test("never writes a secret from a field whose name gives it away, at any depth", () => {
    const { lines, log } = capture();
    const headers = {
      Authorization: SECRETS.apiKey,
      apiKey: SECRETS.apiKey,
      "X-Service-Signature": SECRETS.signature,
      "X-Acme-Signature": SECRETS.signature,
      "webhook-signature": `v1,${SECRETS.webhookSignature}`,
      cookie: SECRETS.cookie,
      "set-cookie": [SECRETS.cookie],
    };
    log.info({ headers, deep: { er: [{ password: SECRETS.password, api_secret: SECRETS.apiSecret }] } }, "request");
    log.child({ session_token: SECRETS.jwt, callback_secret: SECRETS.callbackSecret }).warn({}, "child");
    log.info({ session: { sid: SECRETS.sid } }, "a session");
    expect(lines).toHaveLength(3);
    expectNoSecret(lines);
  });

  test("never writes a secret from the middle of a text", () => {
    const { lines, log } = capture();
    log.info({ note: `key ${SECRETS.apiKey}, secret=${SECRETS.apiSecret}` }, `callback secret ${SECRETS.callbackSecret}`);
    log.info({ body: JSON.stringify({ password: SECRETS.password, signature: SECRETS.signature }) }, "a body");
    log.info({ twice: JSON.stringify(JSON.stringify({ password: SECRETS.password })) }, "a body in a body");
    log.error({ url: `postgres://app:${SECRETS.databasePassword}@db.internal/app` }, `webhook-signature: v1,${SECRETS.webhookSignature}`);
    log.error({ rpc: `https://mainnet.example.io/v3/${SECRETS.nodeKey}` }, `Authorization: Bearer ${SECRETS.jwt}`);
    log.info({}, `X-Service-Signature: ${SECRETS.signature}\r\nCookie: ${SECRETS.cookie}`);
    log.info({}, `GET /login?password=${encodeURIComponent(SECRETS.password)}&token=${SECRETS.jwt}`);
    log.info({ note: `token ${SECRETS.accessToken}` }, `signed with ${SECRETS.railSecret}`);
    log.error({ error: new Error(`invalid private key, got ${SECRETS.privateKey}`) }, `privateKey=${SECRETS.privateKey.slice(2)}`);
    expect(lines).toHaveLength(9);
    expectNoSecret(lines);
  });

  test("never writes a secret that an error carries in its message, its cause or its members", () => {
    const { lines, log } = capture();
    const cause = Object.assign(new Error(`connect to postgres://app:${SECRETS.databasePassword}@db failed`), {
      parameters: [SECRETS.apiSecret],
    });
    log.error({ error: new Error(`refused ${SECRETS.apiSecret}`, { cause }) }, "trouble");
    expectNoSecret(lines);
    const entry = JSON.parse(lines[0] ?? "");
    expect(entry.error.message).toBe("refused sec_[redacted]");
    expect(entry.error.cause.message).toContain("postgres://app:[redacted]@db");
  });

  test("never writes the values of a failed statement", () => {
    const { lines, log } = capture();
    const value = "a-value-of-the-statement";
    log.error({ error: new Error(`Failed query: insert into x values ($1)\nparams: ${value},\n${value}`) }, "trouble");
    expect(lines.join("")).not.toContain(value);
    expect(lines.join("")).toContain("insert into x");
  });

  test("keeps what support needs: ids of keys, hashes and addresses", () => {
    const { lines, log } = capture();
    const fields = {
      apiKeyId: "3b241101-e2bb-4255-8caf-4136c566a962",
      txHash: `0x${"ab".repeat(32)}`,
      token: "USDT",
      tokenAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    };
    log.info(fields, "paid");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject(fields);
  });

  test("survives whatever it is handed", () => {
    const { lines, log } = capture();
    const loop: Record<string, unknown> = { at: new Date(Number.NaN), bytes: new Uint8Array(4), map: new Map([["a", 1n]]), run: () => 1 };
    loop.self = loop;
    log.info(loop, "odd");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ at: null, bytes: "[4 bytes]", self: "[circular]", message: "odd" });
  });
});
