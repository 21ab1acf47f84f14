import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { readTraceparent, writeTraceparent } from "#domain/trace.ts";
import { openTracing } from "#server/observe/open-tracing.ts";
import { tracer } from "#server/observe/trace.ts";
import { Unreachable } from "#server/ports.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { openOtlpReceiver, type ReceivedSpan } from "#testing/otlp-receiver.ts";
import { runOrdersOnce } from "./run-orders.ts";

/** An order belongs to the trace of its request: so do the provider's calls, the chain's, and the callback. */

const PLACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const { traceId, spanId } = readTraceparent(PLACE) ?? {};

let bench: FiatBench;
let collector: Awaited<ReturnType<typeof openOtlpReceiver>>;
let close: () => Promise<void>;
beforeAll(async () => {
  [bench, collector] = [await openFiatBench(), await openOtlpReceiver()];
});
beforeEach(async () => {
  const settings = { endpoint: collector.origin, headers: {}, serviceName: "settlement-test", ratio: 1, trustsCallers: false };
  close = await openTracing(settings, { kind: "worker", instance: "the-test" });
});
afterEach(async () => {
  globalThis.settlementTracing = undefined;
  collector.spans.length = 0;
});
afterAll(async () => {
  await collector.close();
  await bench.close();
});

const newEngine = () => bench.newEngine({ ctx: { ...bench.ctx, tracer } });
async function sent(): Promise<ReceivedSpan[]> {
  await close();
  return collector.spans;
}
const tracesOf = async (id: string) => {
  const rows = await bench.sql<{ trace: string | null }[]>`
    select trace from transfers where owner_id = ${id} union all select trace from callbacks where subject_id = ${id}`;
  return rows.map(({ trace }) => trace);
};

it("a top-up's calls of the provider, its payment and its callback are in its trace, and the call to the provider carries it", async () => {
  const { id } = await bench.topUp({ trace: PLACE });
  await runOrdersOnce(newEngine(), "topups");
  const word = { status: "succeeded", reference: "P-1", reason: null } as const;
  const { trace } = await takeProviderEvent(bench.ctx, { provider: FIRST_PROVIDER, kind: "topup", orderId: id, word, body: "{}" });
  expect(trace).toBe(PLACE);
  await bench.endTransfer("topup", id, { txHash: `0x${"1".repeat(64)}` });
  expect(await tracesOf(id)).toEqual([PLACE, PLACE]);
  expect(await sent()).toEqual([
    expect.objectContaining({ name: "provider.collect", kind: 3, traceId, parent: spanId, attributes: { "settlement.order_id": id } }),
  ]);
});

it("a withdrawal's sweep and its pay-out are of its trace, and so is what is asked about it, silence too", async () => {
  const { id } = await bench.withdraw({ trace: PLACE });
  const engine = newEngine();
  await runOrdersOnce(engine, "withdrawals");
  await bench.endTransfer("sweep", id, { txHash: `0x${"2".repeat(64)}` });
  bench.provider.answers(new Unreachable("nobody answers"));
  await runOrdersOnce(engine, "withdrawals");
  expect(await tracesOf(id)).toEqual([PLACE]);
  expect((await sent()).map(({ name, parent, failure }) => [name, parent, failure])).toEqual([["provider.pay_out", spanId, "Unreachable"]]);
});

it("an order without a place begins a trace with each call, as those of the version before do", async () => {
  bench.provider.answers({ status: "pending", reference: null, instructions: null });
  const { id } = await bench.topUp();
  await runOrdersOnce(newEngine(), "topups");
  expect(await tracesOf(id)).toEqual([]);
  const [span, ...others] = await sent();
  expect(others).toEqual([]);
  expect(span).toMatchObject({ name: "provider.collect", parent: null, attributes: { "settlement.order_id": id } });
  expect(span && writeTraceparent({ ...span, sampled: true })).not.toContain(traceId);
});
