import { beforeEach, describe, expect, test } from "vitest";
import type { Vitals } from "#domain/vitals.ts";
import { renderMetrics } from "./exposition.ts";
import { metrics, observeRuntime, observeVersion } from "./metrics.ts";
import { observeCallbackAttempt, observeRequest, setChainHead, setTreasuryBalance } from "./record.ts";
import { chainHeadsIn, parseSnapshot, takeSnapshot } from "./snapshot.ts";

const NOTHING: Vitals = {
  processes: [],
  backlogs: [],
  openTransfers: [],
  waitingTransfers: [],
  undeliveredCallbacks: 0,
  pendingApprovals: 0,
  ambiguousOrders: 0,
  heldPayments: 0,
  rates: [],
  halts: [],
  suspense: [],
  replication: { isSynchronous: true },
};
const worker = (id: string, beatAgeSeconds: number, figures: unknown[]) => ({
  id,
  kind: "worker",
  startedAt: new Date(),
  beatAgeSeconds,
  metrics: figures,
});

/** What another process would have written: this one's registry, used and emptied. */
async function snapshotOf(use: () => void): Promise<unknown[]> {
  use();
  const snapshot: unknown = JSON.parse(JSON.stringify(await takeSnapshot()));
  metrics().registry.resetMetrics();
  return Array.isArray(snapshot) ? snapshot : [];
}
const line = (text: string, start: string) => text.split("\n").find((one) => one.startsWith(start));

// They are the process's, and other tests ran in it.
beforeEach(() => metrics().registry.resetMetrics());

describe("metrics", () => {
  test("are defined once for every copy of the module in a process", async () => {
    const copy = "./metrics.ts?copy";
    const other: typeof import("./metrics.ts") = await import(copy);
    expect(other.metrics).not.toBe(metrics);
    expect(other.metrics()).toBe(metrics());
    observeRuntime("web");
    expect(() => other.observeRuntime("web")).not.toThrow();
  });

  test("of this process and of running workers add up; a silent worker's do not count", async () => {
    const attempts = () => observeCallbackAttempt({ outcome: "delivered", latenessSeconds: 0.2, wasHeldBack: false, seconds: 0.05 });
    const one = await snapshotOf(() => {
      attempts();
      attempts();
    });
    const two = await snapshotOf(attempts);
    const dead = await snapshotOf(attempts);
    observeRequest({ surface: "settlement", operation: "create_settlement", status: 201, code: null, seconds: 0.01 });
    observeRequest({ surface: "settlement", operation: "create_settlement", status: 410, code: "quote_expired", seconds: 0.01 });
    const text = await renderMetrics({ ...NOTHING, processes: [worker("a", 1, one), worker("b", 2, two), worker("c", 100, dead)] });
    metrics().registry.resetMetrics();
    expect(line(text, 'settlement_callback_attempts_total{outcome="delivered"}')).toMatch(/ 3$/);
    expect(line(text, 'settlement_callback_lateness_seconds_bucket{le="0.25"}')).toMatch(/ 3$/);
    expect(
      line(text, 'settlement_requests_total{surface="settlement",operation="create_settlement",status="410",outcome="quote_expired"}'),
    ).toMatch(/ 1$/);
    expect(line(text, 'settlement_request_duration_seconds_count{surface="settlement",operation="create_settlement"}')).toMatch(/ 2$/);
    expect(line(text, 'settlement_process_up{process="worker"}')).toMatch(/ 2$/);
  });

  test("count processes by their version, so that one sees when an upgrade is over", async () => {
    const before = await snapshotOf(() => observeVersion("worker", "1.1.0"));
    const now = await snapshotOf(() => observeVersion("worker", "1.2.0"));
    const other = await snapshotOf(() => observeVersion("worker", "1.2.0"));
    const text = await renderMetrics({ ...NOTHING, processes: [worker("a", 1, before), worker("b", 1, now), worker("c", 1, other)] });
    expect(line(text, 'settlement_build_info{process="worker",version="1.1.0"}')).toMatch(/ 1$/);
    expect(line(text, 'settlement_build_info{process="worker",version="1.2.0"}')).toMatch(/ 2$/);
  });

  test("show the newest worker's treasury balances, not the sum of all", async () => {
    const balance = (units: string) => () => setTreasuryBalance({ chain: "eip155:1", wallet: "0x1", currency: "USDT", units });
    const newer = await snapshotOf(balance("12.5"));
    const older = await snapshotOf(balance("900"));
    const text = await renderMetrics({ ...NOTHING, processes: [worker("new", 1, newer), worker("old", 4, older)] });
    expect(line(text, "settlement_treasury_balance{")).toBe(
      'settlement_treasury_balance{chain="eip155:1",wallet="0x1",currency="USDT"} 12.5',
    );
  });

  test("survive whatever another release of the worker wrote", async () => {
    const odd = [
      null,
      7,
      { name: "x" },
      { name: "settlement_jobs_total", help: "h", type: "counter", aggregator: "median", values: [{ value: null }] },
    ];
    expect(parseSnapshot(odd)).toEqual([]);
    expect(await renderMetrics({ ...NOTHING, processes: [worker("odd", 1, odd)] })).toContain("settlement_database_up 1");
  });

  test("say so when the database is away", async () => {
    const text = await renderMetrics(null);
    expect(text).toContain("settlement_database_up 0");
    expect(text).toContain('settlement_process_up{process="web"} 1');
    expect(text).not.toContain("settlement_due_work_age_seconds{");
  });

  test("show open transfers by state, due work, and the age of rates", async () => {
    const text = await renderMetrics({
      ...NOTHING,
      openTransfers: [{ state: "needs_review", count: 2 }],
      heldPayments: 4,
      waitingTransfers: [
        { chain: "eip155:1", kind: "review", reason: "a", count: 2 },
        { chain: "eip155:1", kind: null, reason: "b", count: 1 },
      ],
      backlogs: [{ table: "callbacks", open: 5, oldestDueSeconds: 7 }],
      rates: [
        { pair: "KES/USDT", ageSeconds: 30, fresh: true, staleSeconds: null, partnerIds: null },
        { pair: "NGN/USDT", ageSeconds: null, fresh: false, staleSeconds: null, partnerIds: null },
      ],
      halts: [{ scope: { kind: "chain" as const, key: "eip155:1" }, cause: "broken_invariant" as const, since: new Date(0) }],
    });
    for (const expected of [
      'settlement_transfers{state="needs_review"} 2',
      'settlement_transfers{state="queued"} 0',
      'settlement_transfers_waiting{chain="eip155:1"} 3',
      "settlement_payments_held 4",
      'settlement_due_work_age_seconds{table="callbacks"} 7',
      'settlement_rate_age_seconds{pair="KES/USDT"} 30',
      'settlement_rate_fresh{pair="KES/USDT"} 1',
      'settlement_rate_fresh{pair="NGN/USDT"} 0',
    ])
      expect(text).toContain(expected);
    expect(text).not.toContain('settlement_rate_age_seconds{pair="NGN/USDT"}');
  });

  test("carry the nodes' heads to the process that judges readiness", async () => {
    const snapshot = await snapshotOf(() => setChainHead({ chain: "eip155:1", node: "a", height: 42, lagSeconds: 3 }));
    const head = { chain: "eip155:1", node: "a", height: 42, lagSeconds: 3 };
    const inTen = new Date(Date.now() + 10_000);
    expect(chainHeadsIn([{ metrics: snapshot, beatAgeSeconds: 8 }], inTen)).toEqual([
      { ...head, askedSecondsAgo: expect.closeTo(10, 0), silentSeconds: expect.closeTo(2, 0) },
    ]);
  });

  test("count the fiat orders that are unclear at the provider", async () => {
    const text = await renderMetrics({ ...NOTHING, ambiguousOrders: 2 });
    expect(line(text, "settlement_fiat_orders_ambiguous")).toBe("settlement_fiat_orders_ambiguous 2");
  });
});
