import { expect, test } from "vitest";
import { type Facts, judge, NOTHING } from "./checker.ts";

/** A judge that finds nothing looks like a service without fault: each rule is shown a history that it must not let pass. */

const paid = { wallet: "0xAB", amountBase: 7n, txHash: "0x01" };
const heard = { callbackId: "cb_1", subjectId: "tx_1", txHash: "0x01", acknowledged: true, trouble: null };
const callback = { id: "cb_1", subjectId: "tx_1", state: "delivered", url: "http://r/1", completed: 1 };
const settlement = { id: "tx_1", status: "executed", wallet: "0xab", txHash: "0x01" };
const answer = { what: "create", status: 201, hasRetryAfter: false, detail: "" };

const MB = 1_048_576;
/** The heap in bytes, and the resident memory in megabytes, after each number of thousand requests. */
const looks = (...each: readonly (readonly [held: number, resident: number])[]) => [
  { process: "web", looks: each.map(([heldBytes, mb], index) => ({ requests: 1_000 * index, heldBytes, residentBytes: mb * MB })) },
];

/** One settlement, paid and called back, its callback once more after the one kill. */
const GOOD: Facts = {
  ...NOTHING,
  owed: [{ id: "tx_1", wallet: "0xAB", amountBase: 7n, callbackUrl: "http://r/1" }],
  answers: [answer, { ...answer, status: 503, hasRetryAfter: true }],
  settlements: [settlement, { id: "tx_2", status: "quoted", wallet: "0xcd", txHash: null }],
  callbacks: [callback],
  payments: [paid],
  heard: [heard, heard],
  interruptions: 1,
  drainedAfterMs: 59_000,
  latenessMs: [10, 20, 900],
  memory: looks([60 * MB, 180], [61 * MB, 230], [61 * MB, 250], [62 * MB, 260], [61 * MB, 255], [62 * MB, 300]),
  recoveries: [{ after: "a kill", ms: 4_900 }],
  audit: { checked: 100, violations: [] },
};

const brokenIn = (more: Partial<Facts>) =>
  judge({ ...GOOD, ...more })
    .filter(({ violations }) => violations.length > 0)
    .map(({ rule }) => rule);

test("a good history has no violation, and every rule has looked at it", () => {
  expect(brokenIn({})).toEqual([]);
  expect(judge(GOOD).filter(({ checked }) => checked === 0)).toEqual([]);
});

const BAD: readonly [what: string, more: Partial<Facts>, rules: readonly string[]][] = [
  ["a confirmed settlement that is not there", { settlements: [] }, ["nothing_lost", "nothing_doubled", "callbacks_true"]],
  ["one that does not move", { settlements: [{ ...settlement, status: "processing" }] }, ["nothing_lost", "nothing_doubled"]],
  ["one that is executed and was never paid", { payments: [] }, ["nothing_lost"]],
  ["one that was paid less", { payments: [{ ...paid, amountBase: 6n }] }, ["nothing_lost"]],
  ["one that names another payment", { settlements: [{ ...settlement, txHash: "0x02" }] }, ["nothing_lost", "callbacks_true"]],
  ["one that was paid twice", { payments: [paid, { ...paid, txHash: "0x02" }] }, ["nothing_doubled"]],
  ["a payment of a quote that nobody confirmed", { payments: [paid, { ...paid, wallet: "0xcd" }] }, ["nothing_doubled"]],
  ["a payment to a stranger", { payments: [paid, { ...paid, wallet: "0xef" }] }, ["nothing_doubled"]],
  ["an end without a callback", { callbacks: [], heard: [] }, ["every_outcome_delivered"]],
  [
    "an end with callbacks of two ids",
    { callbacks: [callback, { ...callback, id: "cb_2" }] },
    ["every_outcome_delivered", "callbacks_true"],
  ],
  ["a callback that still waits", { callbacks: [{ ...callback, state: "pending" }] }, ["every_outcome_delivered"]],
  ["one given up after five attempts", { callbacks: [{ ...callback, state: "undelivered", completed: 5 }] }, ["every_outcome_delivered"]],
  ["one given up after seven", { callbacks: [{ ...callback, state: "undelivered", completed: 7 }] }, ["every_outcome_delivered"]],
  ["a callback that no receiver got", { heard: [{ ...heard, acknowledged: false }] }, ["callbacks_true"]],
  ["one with a wrong signature", { heard: [{ ...heard, trouble: "no match" }] }, ["callbacks_true"]],
  ["one of an unknown id", { heard: [heard, { ...heard, callbackId: "cb_9" }] }, ["callbacks_true"]],
  ["one that was sent three times for one kill", { heard: [heard, heard, heard] }, ["few_repeats"]],
  ["one that was sent twice for none", { interruptions: 0 }, ["few_repeats"]],
  ["work that is left", { drainedAfterMs: null }, ["drained"]],
  ["work that takes too long", { drainedAfterMs: 60_001 }, ["drained"]],
  ["a 500", { answers: [{ ...answer, status: 500 }] }, ["answers"]],
  ["a 503 that says not when", { answers: [{ ...answer, status: 503 }] }, ["answers"]],
  ["no answer though nobody died", { answers: [{ ...answer, status: null }] }, ["answers"]],
  ["healthy receivers that wait", { latenessMs: [10, 1_001] }, ["lateness"]],
  ["a process that grows", { memory: looks([0, 180], [0, 180], [0, 180], [0, 180], [0, 180], [0, 250]) }, ["memory"]],
  [
    "one that keeps three kilobytes of each request",
    { memory: looks(...Array.from({ length: 9 }, (_, turn): [number, number] => [(60 + 3 * turn) * MB, 180])) },
    ["memory"],
  ],
  ["one that keeps whole requests before it is warm", { memory: looks([60 * MB, 180], [80 * MB, 180], [100 * MB, 180]) }, ["memory"]],
  ["a service that is long away", { recoveries: [{ after: "a kill", ms: 5_001 }] }, ["recovers_in_time"]],
  ["an audit with a violation", { audit: { checked: 1, violations: ["tx_1"] } }, ["audit"]],
  ["what an experiment finds itself", { own: [{ rule: "own", title: "", checked: 1, violations: ["x"] }] }, ["own"]],
];

test("what is promised in time may take longer where the machine has other work, and nothing else may", () => {
  const slow: Facts = { ...GOOD, recoveries: [{ after: "a kill", ms: 9_000 }], latenessMs: [10, 1_900], drainedAfterMs: 110_000 };
  const violated = (facts: Facts) => judge(facts, 2).flatMap(({ rule, violations }) => (violations.length > 0 ? [rule] : []));
  expect(violated(slow)).toEqual([]);
  expect(violated({ ...slow, recoveries: [{ after: "a kill", ms: 10_001 }] })).toEqual(["recovers_in_time"]);
  for (const [, more, rules] of BAD)
    if (!["drained", "lateness", "recovers_in_time"].includes(rules[0] ?? "")) expect(violated({ ...GOOD, ...more })).toEqual(rules);
});

test.each(BAD)("%s is found", (_, more, rules) => {
  expect(brokenIn(more)).toEqual(rules);
});
