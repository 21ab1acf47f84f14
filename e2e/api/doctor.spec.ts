import { chmodSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import type { Profile } from "#cli/profile.ts";
import { newKeyPair } from "#domain/api-key.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { outputOf, profileWith, settle } from "../support/settle.ts";

/** `npx settle doctor`: a partner's mistakes, each named in a sentence. */

type Finding = { check: string; state: string; message: string };

async function diagnose(changes: Partial<Profile>, args: readonly string[] = ["--no-callback"], node: readonly string[] = []) {
  const ran = await settle(["doctor", "--json", ...args], profileWith(changes), node);
  const { ok, findings } = outputOf(ran) as { ok: boolean; findings: Finding[] };
  return { code: ran.code, ok, findings, faults: findings.filter(({ state }) => state === "fault") };
}

async function expectFault(changes: Partial<Profile>, check: string, sentence: RegExp, args?: readonly string[], node?: readonly string[]) {
  const { code, ok, faults } = await diagnose(changes, args, node);
  expect(faults).toEqual([{ check, state: "fault", message: expect.stringMatching(sentence) }]);
  expect([code, ok]).toEqual([4, false]);
}

test("where all is well, every check says so, and the callback really came", async () => {
  const { code, findings } = await diagnose({}, []);
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    "profile ok",
    "reachability ok",
    "clock ok",
    "key ok",
    "signature ok",
    "rate limit ok",
    "quoting ok",
    "callbacks ok",
  ]);
  expect(code).toBe(0);
});

for (const [ms, word] of [
  [600_000, "ahead of"],
  [-600_000, "behind"],
] as const) {
  test(`a clock ten minutes ${word} the service's is named, and the key and the signature are judged all the same`, async () => {
    const skewed = ["--import", new URL(`../../fault/skewed-clock.ts?ms=${ms}`, import.meta.url).href];
    await expectFault({}, "clock", new RegExp(`^This machine's clock is (599|600|601) s ${word} the service's`), ["--no-callback"], skewed);
  });
}

test("a wrong secret, an unknown key and another service's brand each get their own answer", async () => {
  await expectFault({ api_secret: sandbox.second_partner.api_secret }, "signature", /The API secret does not belong to this key\.$/);
  await expectFault({ api_key: newKeyPair("test").apiKey }, "key", /does not know the key key_test_…/);
  await expectFault({ brand: "Acme" }, "headers", /called X-Service-… here, but X-Acme-… in the profile/);
});

test("a host where nobody listens, one that does not exist and another service each get their own answer", async () => {
  const other = await serve((_request, answer) => answer(404, "not here"));
  await expectFault({ base_url: other.url }, "reachability", /is not the settlement service \(\/time: 404\)/);
  await expectFault({ base_url: `${BASE_URL}/api` }, "reachability", /is not the settlement service/);
  other.close();
  await expectFault({ base_url: other.url }, "reachability", /^Nothing listens at 127\.0\.0\.1:\d+/);
  await expectFault({ base_url: "http://no-such-host.invalid" }, "reachability", /^There is no host no-such-host\.invalid/);
  const moved = await serve((_request, answer) => answer(301, "", { location: "https://elsewhere.example" }));
  await expectFault({ base_url: moved.url }, "reachability", /redirects to https:\/\/elsewhere\.example/);
  moved.close();
});

const BENDS: readonly [name: string, bend: (sent: Sent) => Sent, check: string, sentence: RegExp, path?: string][] = [
  [
    "takes a prefix off the path",
    (sent) => ({ ...sent, target: sent.target.replace(/^\/gateway/, "") }),
    "signature",
    /changed the path: \/gateway\/api\/v1\/echo was signed and sent, \/api\/v1\/echo arrived/,
    "/gateway",
  ],
  ["writes the query again", (sent) => ({ ...sent, target: sent.target.replace("%20", "+") }), "signature", /changed the query/],
  [
    "writes the body again",
    (sent) => ({ ...sent, body: sent.body.replaceAll(": ", ":") }),
    "signature",
    /changed the body: 42 bytes were signed and sent, but 40 different bytes arrived/,
  ],
  [
    "drops headers that it does not know",
    (sent) => ({ ...sent, headers: without(sent.headers, /^x-/) }),
    "key",
    /removed headers of the request\. Missing: X-Service-Timestamp/,
  ],
  [
    "sets the timestamp again",
    (sent) => ({ ...sent, headers: { ...sent.headers, ...retimed(sent.headers) } }),
    "signature",
    /changed the timestamp header/,
  ],
];

for (const [name, bend, check, sentence, path = ""] of BENDS) {
  test(`a proxy that ${name} is named`, async () => {
    const proxy = await serveProxy(bend);
    await expectFault({ base_url: `${proxy.url}${path}` }, check, sentence);
    proxy.close();
  });
}

test("a wall that answers in the service's place is named", async () => {
  const wall = await serve((incoming, answer) => {
    if (incoming.url === "/time") answer(200, JSON.stringify({ now: new Date().toISOString(), epoch_seconds: 1 }));
    else answer(403, "<html>Forbidden</html>");
  });
  await expectFault({ base_url: wall.url }, "key", /answered 403, but not by the service/);
  wall.close();
});

test("a way that answers /time and then falls silent is named", async () => {
  const mute = await serve((incoming, answer) => {
    if (incoming.url === "/time") answer(200, JSON.stringify({ now: new Date().toISOString(), epoch_seconds: 1 }));
    else incoming.socket.destroy();
  });
  await expectFault({ base_url: mute.url }, "key", /^\/time answers, but a signed request does not: 127\.0\.0\.1:\d+ cannot be reached/);
  mute.close();
});

test("what keeps callbacks from arriving is named from the service's point of view", async () => {
  const callback = (url: string) => ["--callback-url", url];
  const moved = await serve((_request, answer) => answer(302, "", { location: "/there" }));
  await expectFault({}, "callbacks", /with a redirect \(302\)/, callback(`${moved.url}/hook`));
  moved.close();
  await expectFault({}, "callbacks", /^The service does not reach http:\/\/127\.0\.0\.1:\d+\/hook: /, callback(`${moved.url}/hook`));
  const tired = await serve((_request, answer) => answer(500, ""));
  await expectFault({}, "callbacks", /answers the service 500/, callback(`${tired.url}/hook`));
  tired.close();
  await expectFault({}, "callbacks", /callback_url_not_allowed/, callback("http://10.0.0.1/hook"));
  const wrong = { callback_secret: sandbox.second_partner.callback_secret };
  await expectFault(wrong, "callbacks", /its signature is not valid here: no signature fits/, []);
});

test("a profile that others can read is a warning", async () => {
  const path = profileWith();
  chmodSync(path, 0o644);
  const ran = await settle(["doctor", "--no-callback"], path);
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/^! profile\s+Others on this machine can read/)]);
});

type Headers = IncomingMessage["headers"];
type Sent = { target: string; headers: Headers; body: string };
type Answer = (status: number, body: string, headers?: Record<string, string>) => void;

function without(headers: Headers, pattern: RegExp): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));
}

function retimed(headers: Headers): Headers {
  const timestamp = headers["x-service-timestamp"];
  return timestamp === undefined ? {} : { "x-service-timestamp": String(Number(timestamp) - 1) };
}

async function serve(reply: (incoming: IncomingMessage, answer: Answer, body: string) => void): Promise<{ url: string; close(): void }> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    reply(incoming, (status, body, headers = {}) => response.writeHead(status, headers).end(body), Buffer.concat(chunks).toString("utf8"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** A proxy between the partner and the service, which changes what passes. */
async function serveProxy(bend: (sent: Sent) => Sent) {
  const { hostname, port } = new URL(BASE_URL);
  return await serve((incoming, answer, text) => {
    const { target, headers, body } = bend({ target: incoming.url ?? "/", headers: incoming.headers, body: text });
    const framing = body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const onward = request(
      {
        hostname,
        port,
        method: incoming.method,
        path: target,
        headers: { ...without(headers, /^(content-length|connection|host)$/), ...framing },
        agent: false,
      },
      async (reply) => {
        const chunks: Buffer[] = [];
        for await (const chunk of reply) chunks.push(chunk);
        const challenge = reply.headers["www-authenticate"];
        answer(
          reply.statusCode ?? 502,
          Buffer.concat(chunks).toString("utf8"),
          challenge === undefined ? {} : { "www-authenticate": challenge },
        );
      },
    );
    onward.once("error", () => answer(502, ""));
    onward.end(body);
  });
}
