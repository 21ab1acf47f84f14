import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { RUNBOOKS } from "./runbook.ts";
import { capSentence } from "./signer-caps.ts";
import { findCauses, silentChainReason } from "./trouble-causes.ts";
import type { Check, RateAge, WaitingTransfers } from "./vitals.ts";

const CHAINS = [
  { chain: "eip155:1", name: "Ethereum" },
  { chain: "eip155:8453", name: "Base" },
];
const QUIET: Check = {
  name: "chain eip155:8453",
  ok: false,
  detail: "no node has answered for 12 s",
  why: "no node answers",
  forSeconds: 12,
};
const UNKNOWN: Check = { name: "chain eip155:8453", ok: false, detail: "unknown, because no worker is running to ask its nodes" };
const GONE: Check = { name: "worker", ok: false, detail: "last heartbeat 9.0 s ago", forSeconds: 9 };

const waits = (kind: WaitingTransfers["kind"], reason: string, count = 1, chain = "eip155:8453") => ({ chain, kind, reason, count });
const causes = (checks: readonly Check[], waitingTransfers: readonly WaitingTransfers[] = [], rates: readonly RateAge[] = []) =>
  findCauses(checks, { waitingTransfers, rates }, CHAINS).map(({ part, detail, runbook }) => [part, detail, runbook]);

test("payments that wait for a silent chain name the chain, and link its runbook", () => {
  const silent = waits("chain_unavailable", silentChainReason("Base"), 2);
  const cause = ["chain", "Base: no node answers; 2 payments wait", "rpc-dead"];
  expect(causes([QUIET], [silent])).toEqual([cause]);
  // The payment learns of it before the node has been silent for long: the same line, from the beginning.
  expect(causes([], [silent])).toEqual([cause]);
  expect(causes([QUIET])).toEqual([["chain", "Base: no node answers", "rpc-dead"]]);
});

test("each reason for which payments wait has its own runbook", () => {
  const waiting = [
    waits("treasury_funding", "The treasury holds too little USDT."),
    waits("treasury_funding", "The treasury holds too little USDC.", 3),
    waits("review", "People have to look.", 1, "eip155:1"),
    waits("chain_unavailable", "The network's fee is above the configured cap."),
    waits("review", `${capSentence({ currency: "USDT", period: "hour" })} 1 of 2 have signed.`),
  ];
  expect(causes([{ name: "payments", ok: false, detail: "transfers wait" }], waiting)).toEqual([
    [
      "payments",
      "1 payment waits on Base: The treasury holds too little USDT; 3 payments wait on Base: The treasury holds too little USDC",
      "treasury-empty",
    ],
    ["payments", "1 payment waits on Ethereum: People have to look", "needs-review"],
    ["payments", "1 payment waits on Base: The network's fee is above the configured cap", "payments-waiting"],
    ["payments", expect.stringMatching(/^1 payment waits on Base: The signer signs no more USDT .* 1 of 2 have signed$/), "above-cap"],
  ]);
});

test("without a worker nothing is said of the chain, nor of work that nobody takes up, and rates that grow old are the worker's", () => {
  const backlog: Check = { name: "callbacks", ok: false, detail: "1 open, the oldest due for 70 s", forSeconds: 70 };
  const stale: Check = { name: "rates", ok: false, detail: "the rate is too old for KES/USDT" };
  const rate = { pair: "KES/USDT", fresh: false, staleSeconds: null, partnerIds: null };
  const silent = waits("chain_unavailable", silentChainReason("Base"));
  expect(causes([GONE, backlog, UNKNOWN, stale], [silent], [{ ...rate, ageSeconds: 300 }])).toEqual([
    ["worker", "last heartbeat 9.0 s ago", "worker-down"],
    ["rates", "the rate is too old for KES/USDT", "worker-down"],
  ]);
  expect(causes([GONE, stale], [], [{ ...rate, ageSeconds: null }])).toContainEqual(["rates", stale.detail, "rates-stale"]);
});

test("work that is late has a line with the table, the provider's with the provider's runbook", () => {
  const late = (name: string): Check => ({ name, ok: false, detail: "1 open, the oldest due for 70 s" });
  expect(causes([late("callbacks"), late("topups")])).toEqual([
    ["work", "callbacks, 1 open, the oldest due for 70 s", "worker-down"],
    ["work", "topups, 1 open, the oldest due for 70 s", "fiat-provider"],
  ]);
});

test("a halted payment is reported by its halt scope, and a failing database by itself", () => {
  expect(causes([], [waits(null, "Halted: an operator has stopped it.")])).toEqual([]);
  expect(causes([{ name: "database", ok: false, detail: "does not answer" }])).toEqual([["database", "does not answer", "database-away"]]);
});

test("every runbook that is named is a page, and every page is named", () => {
  const pages = readdirSync(new URL("../docs/runbooks", import.meta.url)).map((file) => file.replace(/\.md$/, ""));
  expect(pages.filter((page) => page !== "README").toSorted()).toEqual([...RUNBOOKS].toSorted());
});
