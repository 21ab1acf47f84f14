import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { exchange } from "#sandbox/client/exchange.ts";
import { openReceiver } from "#sandbox/client/receiver.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";
import { openOtlpReceiver, type ReceivedSpan } from "#testing/otlp-receiver.ts";
import { partnerClient } from "../support/patient.ts";
import { createBody, ended, SETTLEMENTS } from "../support/settlements.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "../support/start-sandbox.ts";

/** Web and worker with a collector of traces: one trace per settlement, order and Safe, from its request to the callback's answer. */

test.setTimeout(300_000);

let collector: Awaited<ReturnType<typeof openOtlpReceiver>>;
let directory: string;
let sandbox: OwnSandbox;
let announced: SandboxFile;
test.beforeAll(async () => {
  directory = newDirectory();
  collector = await openOtlpReceiver();
  sandbox = await startSandbox(directory, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_TRACES_SAMPLER_ARG: "1" });
  announced = readSandboxFile(sandbox.file);
});
test.afterAll(async () => {
  await sandbox.stop();
  await collector.close();
  removeDirectory(directory);
});

const traceparentOf = (traceId: string) => ["traceparent", `00-${traceId}-${randomBytes(8).toString("hex")}-00`] as const;
const newTraceId = () => randomBytes(16).toString("hex");
const linesWith = (log: "web" | "worker", text: string) =>
  readFileSync(join(directory, "logs", `${log}.log`), "utf8")
    .split("\n")
    .filter((line) => line.includes(text));

/** Asks for something on the partner-management surface, under a trace. */
async function asked(status: number, target: string, body: object, traceId: string): Promise<void> {
  const headers = [["apiKey", announced.partner.api_key], ["Content-Type", "application/json"], traceparentOf(traceId)] as const;
  const answer = await exchange(announced.base_url, { method: "POST", target, body: JSON.stringify(body), headers });
  expect(answer.status, answer.text).toBe(status);
}

/** Of a request that a busy machine refused, and that was sent again. */
const isRefused = ({ attributes }: ReceivedSpan) => attributes["http.response.status_code"] === 503;

/** The one span of that name in the trace, as soon as the collector has it. */
async function span(traceId: string, name: string): Promise<ReceivedSpan> {
  const found = () => collector.spans.filter((each) => each.traceId === traceId && each.name === name && !isRefused(each));
  await expect.poll(() => found().length, { message: `${name} in ${traceId}`, timeout: 90_000 }).toBe(1);
  const [only] = found();
  if (only === undefined) throw new Error(`there is no ${name}`);
  return only;
}

test("a settlement has one trace: its request's, and in it the confirmation, the chain's calls and the callback's answer", async () => {
  const receiver = await openReceiver();
  const partner = partnerClient(announced.base_url, announced.partner);
  const [ours, theirs] = [newTraceId(), newTraceId()];
  try {
    const created = await partner.post(SETTLEMENTS, createBody(), [traceparentOf(ours)]);
    expect(created.status, created.text).toBe(201);
    const { tx_id } = JSON.parse(created.text);
    const body = { external_tx_id: `traced-${ours}`, callback_url: receiver.url };
    const confirmed = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, body, [traceparentOf(theirs)]);
    expect(confirmed.status, confirmed.text).toBe(200);
    expect((await ended(tx_id, partner)).status).toBe("executed");
    await receiver.delivery(1);

    const create = await span(ours, "create_settlement");
    expect(create).toMatchObject({ process: "web", kind: 2, attributes: { "settlement.tx_id": tx_id, "http.response.status_code": 201 } });
    // The confirmation had its own trace: the two link to each other.
    const confirm = await span(theirs, "confirm_one_settlement");
    expect(confirm.links).toEqual([{ traceId: ours, spanId: create.spanId }].map((link) => expect.objectContaining(link)));
    const joined = await span(ours, "settlement.confirm");
    expect(joined).toMatchObject({ process: "web", parent: create.spanId });
    expect(joined.links[0]).toMatchObject({ traceId: theirs, spanId: confirm.spanId });
    for (const name of ["transfer.sign", "transfer.send", "transfer.settled", "callback.attempt"])
      expect(await span(ours, name)).toMatchObject({ process: "worker", parent: create.spanId, failure: null });
    expect((await span(ours, "transfer.send")).attributes).toMatchObject({
      "settlement.tx_hash": (await span(ours, "transfer.settled")).attributes["settlement.tx_hash"],
      "settlement.chain": announced.chains[0].chain,
    });
    // The receiver gets the position of its own part, and the log lines of both processes name the trace.
    const attempt = await span(ours, "callback.attempt");
    expect(attempt.attributes).toMatchObject({ "http.response.status_code": 200 });
    const { headers } = receiver.deliveries[0] ?? {};
    expect(new Map(Object.entries(headers ?? {})).get("traceparent")).toBe(`00-${ours}-${attempt.spanId}-01`);
    expect(linesWith("web", ours).length).toBeGreaterThan(0);
    expect(linesWith("worker", ours).some((line) => line.includes("callback attempt"))).toBe(true);
  } finally {
    await receiver.close();
  }
});

test("a top-up, a withdrawal and a member's Safe have one trace each, with the provider's call among its links", async () => {
  const receiver = await openReceiver();
  try {
    const { chain } = announced.chains[0];
    const [topups, withdrawals, members] = [newTraceId(), newTraceId(), newTraceId()];
    const account = { type: "mobile_money", account: "+254712345678" };
    const order = { amount: 123_400, currency: "KES", chain, callback_url: receiver.url };
    const member = { external_user_id: `traced-${members}`, phone: `+2547${randomInt(10_000_000, 99_999_999)}` };
    await asked(201, "/partners/members", member, members);
    const deploy = await span(members, "create_member");
    for (const name of ["transfer.sign", "transfer.send", "transfer.settled", "deployment.verify"])
      expect(await span(members, name)).toMatchObject({ process: "worker", parent: deploy.spanId, failure: null });

    const topup = {
      ...order,
      external_id: topups,
      external_user_id: member.external_user_id,
      destination_currency: "USDT",
      source: account,
    };
    await asked(201, "/partners/transactions/topup-fiat", topup, topups);
    const destination = { ...account, name: "Wanjiru" };
    const withdrawal = { ...order, external_id: withdrawals, source_currency: "USDT", destination };
    await asked(201, "/partners/transactions/withdraw-fiat", withdrawal, withdrawals);
    for (const [trace, operation, call] of [
      [topups, "topup_fiat", "provider.collect"],
      [withdrawals, "withdraw_fiat", "provider.pay_out"],
    ] as const) {
      const { spanId } = await span(trace, operation);
      for (const name of ["transfer.sign", "transfer.send", "transfer.settled", call, "callback.attempt"])
        expect(await span(trace, name)).toMatchObject({ process: "worker", parent: spanId, failure: null });
      expect((await span(trace, call)).kind).toBe(3);
      // The provider's call is a separate request: the two link to each other.
      const joined = await span(trace, "provider.callback");
      expect(joined).toMatchObject({ process: "web", parent: spanId });
      const [link] = joined.links;
      const heard = await span(link?.traceId ?? "", `${operation}_callback`);
      expect(heard.links).toEqual([expect.objectContaining({ traceId: trace, spanId })]);
    }
  } finally {
    await receiver.close();
  }
});

test("a problem document names the trace of its request, and a caller's malformed header does no harm", async () => {
  const partner = partnerClient(announced.base_url, announced.partner);
  const traceId = newTraceId();
  const refused = await partner.get(`${SETTLEMENTS}/tx_nobody`, [traceparentOf(traceId)]);
  expect(JSON.parse(refused.text)).toMatchObject({ code: "settlement_not_found", trace_id: traceId });
  expect(await span(traceId, "get_settlement")).toMatchObject({ failure: null, attributes: { "settlement.code": "settlement_not_found" } });
  const odd = await partner.get(`${SETTLEMENTS}/tx_nobody`, [["traceparent", `00-${"0".repeat(32)}-x' or 1=1-01`]]);
  expect(JSON.parse(odd.text)).toMatchObject({ status: 404, trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
});

test("no secret went to the collector", () => {
  const sent = collector.requests.map(({ body }) => body).join("\n");
  expect(collector.spans.length).toBeGreaterThan(20);
  const { partner, second_partner, operator, users, rail } = announced;
  const keys = [partner, second_partner].flatMap(({ api_key, api_secret, callback_secret }) => [api_key, api_secret, callback_secret]);
  for (const secret of [
    ...keys,
    operator.api_key,
    rail.secret,
    ...Object.values(users).flatMap(({ email, password }) => [email, password]),
  ])
    expect(sent).not.toContain(secret);
  for (const word of ["ignature", "uthorization", "ookie", "params:", "x-service-"]) expect(sent).not.toContain(word);
});
