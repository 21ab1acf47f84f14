import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFiling } from "./bucket-files.ts";
import { curve } from "./report.ts";
import type { Sample } from "./samples.ts";
import { growthMb, trendsOf } from "./trends.ts";

const RATE = 5;
const table = { name: "callbacks", rowBytes: 1, indexBytes: 1, live: 10_000, dead: 100 };
const ms = { p50: 1, p99: 2 };

function sampleAt(minute: number, more: Partial<Sample> = {}): Sample {
  return {
    minute,
    perSecond: RATE,
    heldBack: 0,
    answeredLater: 0,
    createMs: ms,
    confirmMs: ms,
    settlements: 60 * RATE * minute,
    oldestUnpaidSeconds: 4,
    callbacksOutstanding: 0,
    memoryMb: { web: 180, worker: 150, signer: 110, driver: 200 },
    tables: [table],
    indexes: [],
    databaseBytes: 1,
    walBytes: 1,
    filesBytes: 1,
    ...more,
  };
}

const minutes = Array.from({ length: 120 }, (_, minute) => minute);
const violationsOf = (samples: readonly Sample[]) => trendsOf(samples, RATE).flatMap(({ rule, violations }) => violations.map(() => rule));

it("finds nothing in a run that levels off, however much it grows before it is warm", () => {
  const memoryAt = (minute: number) => ({ web: 100 + Math.min(minute, 25) * 4, worker: 150, signer: 110, driver: 200 });
  expect(violationsOf(minutes.map((minute) => sampleAt(minute, { memoryMb: memoryAt(minute) })))).toEqual([]);
});

it("finds a process that grows slowly, through noise and one outlier", () => {
  const memoryAt = (minute: number) => ({ web: 180 + minute * 0.7 + (minute % 7) + (minute === 60 ? 500 : 0), worker: 150 });
  const samples = minutes.map((minute) => sampleAt(minute, { memoryMb: memoryAt(minute) }));
  expect(growthMb(samples, "web")).toBeCloseTo(42, 0);
  expect(violationsOf(samples)).toEqual(["memory_trend"]);
});

it("judges no slope of a run that is too short", () => {
  const samples = [0, 1, 2].map((minute) => sampleAt(minute, { memoryMb: { web: 100 * minute } }));
  expect(growthMb(samples, "web")).toBeNull();
  expect(violationsOf(samples)).toEqual([]);
});

it("finds dead rows that no vacuum takes, and a payment that waits", () => {
  const dead = sampleAt(90, { tables: [{ ...table, dead: 4_000 + 20 * 180 * RATE + 1 }] });
  expect(violationsOf([sampleAt(0), dead, sampleAt(119, { oldestUnpaidSeconds: 121 })])).toEqual(["dead_rows", "payments_in_time"]);
});

it("files facts by their wallets' ends, and reads the amounts exactly", () => {
  const folder = mkdtempSync(join(tmpdir(), "filing-"));
  try {
    const filing = openFiling(folder);
    const payments = ["0xAAFF", "0xbbff", "0xcc01"].map((wallet) => ({ wallet, amountBase: 2n ** 80n + 1n, txHash: "0x1" }));
    for (const payment of payments) filing.add("payment", payment.wallet, payment);
    filing.flush();
    expect(filing.read("payment", ["ff"])).toEqual(payments.slice(0, 2));
    expect(filing.read("payment", ["01", "02"])).toEqual(payments.slice(2));
    expect(filing.read("owed", ["ff"])).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("draws a curve from zero to its highest value", () => {
  expect(curve([0, 1, 2, 4])).toBe("▁▃▅█");
  expect(curve([0, 0])).toBe("▁▁");
});
