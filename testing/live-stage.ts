import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "./certificate.ts";
import { gather, type Program } from "./stage/child.ts";

/** An operator's environment in live mode: a database with roles, a proxy with TLS, rates over https. */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TLS = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY };

/** An empty database as the runbook requires it, owned by a role that is not a superuser. */
export async function createOwnedDatabase(adminUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `live_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(16).toString("base64url");
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create role ${name} login createrole password '${password}'`);
  await admin.unsafe(`grant ${name} to current_user`);
  await admin.unsafe(`create database ${name} owner ${name} template template0 locale_provider libc lc_collate 'C'`);
  const url = new URL(adminUrl);
  url.username = name;
  url.password = password;
  url.pathname = `/${name}`;
  const drop = async () => {
    // Other roles' sessions cannot be ended here: those of killed programs end by themselves.
    const deadline = Date.now() + 60_000;
    for (let isDropped = false; !isDropped; await sleep(200)) {
      isDropped = await admin.unsafe(`drop database ${name}`).then(
        () => true,
        (error: unknown) => {
          if (Date.now() > deadline) throw error;
          return false;
        },
      );
    }
    await admin.end();
  };
  return { url: url.href, drop };
}

export type Listening = { origin: string; close(): void };

/** Rates from two tickers and a reference. */
export async function serveRates(): Promise<Listening> {
  return await listen(
    createServer(TLS, (incoming, response) => {
      const today = new Date().toISOString().slice(0, 10);
      const answers: Record<string, object> = {
        "/kraken": { error: [], result: { USDTZUSD: { c: ["1.0000", "1"] } } },
        "/binance": { symbol: "USDTUSD", price: "1.0002" },
        "/reference": { base: "USD", date: today, rates: { KES: 129.2 } },
      };
      response.end(JSON.stringify(answers[incoming.url ?? ""] ?? {}));
    }),
  );
}

/** Speaks https outside, and http to the service. */
export async function serveProxy(port: () => number): Promise<Listening> {
  return await listen(
    createServer(TLS, (incoming, response) => {
      const headers = { ...incoming.headers, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
      const onward = httpRequest(
        { host: "127.0.0.1", port: port(), method: incoming.method, path: incoming.url, headers, agent: false },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.once("error", () => response.writeHead(502).end());
      incoming.pipe(onward);
    }),
  );
}

async function listen(server: ReturnType<typeof createServer>): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `https://localhost:${port}`, close };
}

export type Reply = { status: number; body: string; cookies: readonly string[] };

/**
 * An external request over TLS. On a separate connection, like the proxy's: while a program runs to its end, nobody here notices that the
 * other side has closed one.
 */
export function callOverTls(origin: string, method: string, target: string, headers: Record<string, string>, body = ""): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${target}`, { method, headers, ca: TEST_CERTIFICATE, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: text, cookies: answer.headers["set-cookie"] ?? [] }));
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

export type Environment = Readonly<Record<string, string>>;

/** A program of the project that runs to its end, as `npm run` calls it. */
export function runScript(script: string, args: readonly string[], env: Environment): { status: number; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, env: clean(env), encoding: "utf8" });
  return { status: status ?? -1, stdout, stderr };
}

/** One that continues. */
export function startScript(script: string, env: Environment): Program {
  return gather(spawn(process.execPath, [script], { cwd: ROOT, env: clean(env), stdio: ["ignore", "pipe", "pipe"] }));
}

/** Nothing of the test's own environment but what every program has. */
function clean(env: Environment): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: process.env.PATH, HOME: process.env.HOME, ...env };
}
