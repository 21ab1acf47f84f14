import { spawnSync } from "node:child_process";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readTraceparent } from "#domain/trace.ts";
import { openOtlpReceiver } from "#testing/otlp-receiver.ts";
import { createLog } from "./log.ts";
import { openTracing } from "./open-tracing.ts";
import { joinTrace, type RequestEnd, traceId, tracePlace, traceRequest, tracer } from "./trace.ts";

const CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const UNKEPT = CALLER.replace(/01$/, "00");
const ENDED: RequestEnd = { name: "operation", attributes: {}, failure: null };

let receiver: Awaited<ReturnType<typeof openOtlpReceiver>>;
let close: () => Promise<void> = async () => {};
beforeAll(async () => {
  receiver = await openOtlpReceiver();
});
afterEach(async () => {
  await close();
  close = async () => {};
  globalThis.settlementTracing = undefined;
  receiver.spans.length = 0;
  receiver.requests.length = 0;
});
afterAll(() => receiver.close());

async function begin(ratio: number, trustsCallers = false): Promise<void> {
  const settings = { endpoint: receiver.origin, headers: { "x-let-us": "in" }, serviceName: "settlement-test", ratio, trustsCallers };
  close = await openTracing(settings, { kind: "web", instance: "the-test" });
}

/** A request that answers with its position in the trace. */
const request = (traceparent: string | null, end = ENDED) =>
  traceRequest(
    traceparent,
    async () => tracePlace(),
    () => end,
  );

/** Sends everything recorded so far. */
async function sent() {
  await close();
  close = async () => {};
  return receiver.spans;
}

describe("a request", () => {
  test("continues its caller's trace, and reaches the collector by the operation's name", async () => {
    await begin(1);
    const place = readTraceparent(
      await request(CALLER, { name: "create_settlement", attributes: { "settlement.tx_id": "tx_1" }, failure: null }),
    );
    expect(place).toMatchObject({ traceId: readTraceparent(CALLER)?.traceId, sampled: true });
    expect(await sent()).toEqual([
      expect.objectContaining({
        process: "web",
        service: "settlement-test",
        name: "create_settlement",
        kind: 2,
        failure: null,
        links: [],
        traceId: place?.traceId,
        spanId: place?.spanId,
        parent: readTraceparent(CALLER)?.spanId,
        attributes: { "settlement.tx_id": "tx_1" },
      }),
    ]);
    expect(receiver.requests[0]).toMatchObject({ target: "/v1/traces", method: "POST", headers: { "x-let-us": "in" } });
  });

  test("has a trace of its own where the caller's header is malformed", async () => {
    await begin(0);
    const places = [await request(null), await request("00-zz"), await request(`${CALLER}\r\nx: y`)].map(readTraceparent);
    expect(new Set(places.map((place) => place?.traceId)).size).toBe(3);
    for (const place of places) expect(place).toMatchObject({ sampled: false });
  });

  test("is not kept because its caller says so, and kept though it says no, unless callers are believed", async () => {
    await begin(0);
    expect(readTraceparent(await request(CALLER))).toMatchObject({ traceId: readTraceparent(CALLER)?.traceId, sampled: false });
    expect(await sent()).toEqual([]);
    await begin(1);
    expect(readTraceparent(await request(UNKEPT))).toMatchObject({ sampled: true });
    await close();
    await begin(0, true);
    expect(readTraceparent(await request(CALLER))).toMatchObject({ sampled: true });
    expect(readTraceparent(await request(UNKEPT))).toMatchObject({ sampled: false });
    await close();
    await begin(1, true);
    expect(readTraceparent(await request(UNKEPT))).toMatchObject({ sampled: false });
  });

  test("is kept as often as is set, whatever trace it names", async () => {
    await begin(0.25);
    const kept = await Promise.all(Array.from({ length: 2_000 }, () => request(CALLER)));
    const share = kept.filter((place) => readTraceparent(place)?.sampled).length / 2_000;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.35);
  });

  test("that fails is reported as a failure, by a word", async () => {
    await begin(1);
    await request(null, { ...ENDED, failure: "internal_error" });
    await expect(
      traceRequest(
        null,
        () => Promise.reject(new Error("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
        () => ENDED,
      ),
    ).rejects.toThrow();
    expect((await sent()).map(({ failure }) => failure)).toEqual(["internal_error", "threw"]);
  });
});

describe("work of later", () => {
  test("is part of the trace that was stored, sampled or not", async () => {
    await begin(0);
    const under = (within: string | null) =>
      tracer.span("work", { within, attributes: { "settlement.transfer_id": "tr_1" } }, async () => tracePlace());
    expect(readTraceparent(await under(CALLER))).toMatchObject({ traceId: readTraceparent(CALLER)?.traceId, sampled: true });
    expect(await under(UNKEPT)).toBe(UNKEPT);
    expect(await under(null)).toBeNull();
    expect(await under("what nobody wrote")).toBeNull();
    expect(await sent()).toEqual([expect.objectContaining({ name: "work", parent: readTraceparent(CALLER)?.spanId, kind: 1 })]);
  });

  test("begins a trace of its own where it is asked to", async () => {
    await begin(1);
    const place = readTraceparent(await tracer.span("call", { within: "begins" }, async () => tracePlace()));
    expect(await sent()).toEqual([expect.objectContaining({ name: "call", traceId: place?.traceId, spanId: place?.spanId, parent: null })]);
  });

  test("reports what went wrong by a word, and throws on what was thrown", async () => {
    await begin(0);
    await tracer.span("tells", { within: CALLER, failureOf: () => "timeout" }, async () => {});
    await expect(tracer.span("throws", { within: CALLER }, () => Promise.reject(new TypeError("secret=abc")))).rejects.toThrow(TypeError);
    expect((await sent()).map(({ failure }) => failure)).toEqual(["timeout", "TypeError"]);
  });

  test("is joined by a request of another trace, each with a link to the other, unless the request failed", async () => {
    await begin(1);
    const joining = (failure: string | null) =>
      traceRequest(
        null,
        async () => {
          joinTrace(CALLER, "settlement.confirm");
          joinTrace(null, "settlement.confirm");
          return tracePlace();
        },
        () => ({ ...ENDED, failure }),
      );
    const place = readTraceparent(await joining(null));
    await joining("internal_error");
    const spans = await sent();
    const [stored, own] = [readTraceparent(CALLER), { traceId: place?.traceId, spanId: place?.spanId }];
    expect(spans.find(({ name }) => name === "settlement.confirm")).toMatchObject({
      traceId: stored?.traceId,
      parent: stored?.spanId,
      links: [own],
    });
    expect(spans.find(({ spanId }) => spanId === own.spanId)).toMatchObject({
      links: [{ traceId: stored?.traceId, spanId: stored?.spanId }],
    });
    expect(spans).toHaveLength(3);
  });
});

test("nothing that looks like a secret goes to the collector", async () => {
  await begin(1);
  const secrets = [
    "sec_live_9d8f7s6d5f4g3h2j1k0l",
    "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLWJ5dGVz",
    "https://node.example/v3/a1b2c3d4e5f60718293a4b5c6d7e8f90",
  ];
  await request(null, {
    name: "operation",
    attributes: Object.fromEntries(secrets.map((secret, index) => [`a${index}`, `it is ${secret}`])),
    failure: secrets[0] ?? "",
  });
  await tracer.span("work", { within: CALLER, attributes: { secret: secrets[1] }, failureOf: () => "api_secret=abcdef" }, async () => {});
  expect(await sent()).toHaveLength(2);
  const bodies = receiver.requests.map(({ body }) => body).join("");
  for (const secret of [...secrets, "abcdef", "a1b2c3d4e5f6"]) expect(bodies).not.toContain(secret.replace("Bearer ", ""));
});

test("lines of the log bear the trace of the work that wrote them", async () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", process: "test", destination: { write: (line) => lines.push(line) } });
  log.info({}, "nothing is traced");
  await begin(0);
  log.info({}, "outside of any work");
  await traceRequest(
    CALLER,
    async () => log.info({}, "within"),
    () => ENDED,
  );
  const traceIds = lines.map((line) => JSON.parse(line).trace_id);
  expect(traceIds).toEqual([undefined, undefined, readTraceparent(CALLER)?.traceId]);
  expect(traceId()).toBeNull();
});

test("a collector that is away, hangs or refuses holds nobody up", async () => {
  await begin(1);
  receiver.answer = () => {};
  await request(null);
  await close();
  close = async () => {};
  receiver.answer = (_request, response) => void response.writeHead(500).end();
  await begin(1);
  await request(null);
  await close();
  close = await openTracing(
    { endpoint: "http://127.0.0.1:9", headers: {}, serviceName: "x", ratio: 1, trustsCallers: false },
    { kind: "worker", instance: "y" },
  );
  expect(await request(null)).not.toBeNull();
});

test("without a collector none of OpenTelemetry's packages is loaded", () => {
  const script = `
    const { openTracing } = await import("#server/observe/open-tracing.ts");
    const { tracer } = await import("#server/observe/trace.ts");
    const { registerHooks } = await import("node:module");
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    const settings = process.env.ENDPOINT ? { endpoint: process.env.ENDPOINT, headers: {}, serviceName: "x", ratio: 1, trustsCallers: false } : null;
    await openTracing(settings, { kind: "web", instance: "x" });
    await tracer.span("x", { within: "${CALLER}" }, async () => {});
    console.log(loaded.filter((url) => url.includes("@opentelemetry")).length > 0);
    process.exit(0);`;
  const run = (env: Record<string, string>) =>
    spawnSync(process.execPath, ["--input-type=module", "-e", script], { env: { ...process.env, ...env }, encoding: "utf8" }).stdout.trim();
  expect(run({})).toBe("false");
  expect(run({ ENDPOINT: "http://127.0.0.1:9" })).toBe("true");
});
