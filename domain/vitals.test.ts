import { describe, expect, test } from "vitest";
import { type ChainHead, describeReplication, judgeReadiness, type Vitals } from "./vitals.ts";

const WELL: Vitals = {
  processes: [{ id: "w", kind: "worker", startedAt: new Date(0), beatAgeSeconds: 1, metrics: [] }],
  backlogs: [
    { table: "transfers", open: 3, oldestDueSeconds: null },
    { table: "callbacks", open: 2, oldestDueSeconds: 1.5 },
  ],
  openTransfers: [],
  waitingTransfers: [],
  undeliveredCallbacks: 0,
  pendingApprovals: 0,
  ambiguousOrders: 0,
  heldPayments: 0,
  rates: [{ pair: "KES/USDT", ageSeconds: 4, fresh: true, staleSeconds: null, partnerIds: null }],
  halts: [],
  suspense: [],
  replication: { isSynchronous: true },
};
const HEAD: ChainHead = { chain: "eip155:1", node: "a", height: 100, lagSeconds: 5, askedSecondsAgo: 1, silentSeconds: 1 };

const failing = (vitals: Partial<Vitals>, heads: ChainHead[] = [HEAD]) =>
  judgeReadiness({ ...WELL, ...vitals }, heads, ["eip155:1"]).filter((check) => !check.ok);

describe("readiness", () => {
  test("does not go because payments are held, and says how many", () => {
    expect(failing({ heldPayments: 3 })).toEqual([]);
    expect(judgeReadiness({ ...WELL, heldPayments: 3 }, [HEAD], ["eip155:1"])).toContainEqual({
      name: "holds",
      ok: true,
      detail: "3 held until an admin or a screening source decides",
    });
  });

  test("is whole when every part does its work", () => {
    expect(judgeReadiness(WELL, [HEAD], ["eip155:1"])).toEqual([
      { name: "worker", ok: true, detail: "1 running, last heartbeat 1.0 s ago" },
      { name: "transfers", ok: true, detail: "3 open, none overdue" },
      { name: "callbacks", ok: true, detail: "2 open, the oldest due for 1.5 s" },
      { name: "payments", ok: true, detail: "no transfers are waiting" },
      { name: "halts", ok: true, detail: "nothing is halted" },
      { name: "holds", ok: true, detail: "no payment is held" },
      { name: "chain eip155:1", ok: true, detail: "1 of 1 nodes answer, head 100, 5.0 s old" },
      { name: "rates", ok: true, detail: "1 pairs, the oldest rate 4.0 s old" },
    ]);
  });

  test("stays ready while a scope is halted, and says which and why: people look, and the API goes on", () => {
    const halts = [{ scope: { kind: "wallet" as const, key: "w-1" }, cause: "foreign_nonce" as const, since: new Date(0) }];
    const waitingTransfers = [
      { chain: "eip155:1", kind: null, reason: "Halted: an unknown transaction has spent a treasury wallet's nonce.", count: 3 },
    ];
    const checks = judgeReadiness({ ...WELL, halts, waitingTransfers }, [HEAD], ["eip155:1"]);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(checks.find(({ name }) => name === "halts")?.detail).toBe(
      "wallet w-1 since 1970-01-01T00:00:00.000Z: Halted: an unknown transaction has spent a treasury wallet's nonce.",
    );
    expect(describeReplication({ isSynchronous: false })).toMatchObject({
      ok: true,
      detail: expect.stringContaining("may lose the last ones"),
    });
  });

  test.each<[string, Partial<Vitals>, ChainHead[], string]>([
    ["due work is not taken up", { backlogs: [{ table: "callbacks", open: 1, oldestDueSeconds: 61 }] }, [HEAD], "callbacks"],
    [
      "the treasury is empty",
      { waitingTransfers: [{ chain: "eip155:1", kind: "treasury_funding", reason: "The treasury holds too little USDT.", count: 2 }] },
      [HEAD],
      "payments",
    ],
    ["no node has answered", {}, [], "chain eip155:1"],
    ["nodes have stopped answering", {}, [{ ...HEAD, askedSecondsAgo: 64, silentSeconds: 61 }], "chain eip155:1"],
    ["every node lags", {}, [{ ...HEAD, lagSeconds: 181 }], "chain eip155:1"],
    ["a node of another chain answers", {}, [{ ...HEAD, chain: "eip155:10" }], "chain eip155:1"],
    ["no pair is enabled", { rates: [] }, [HEAD], "rates"],
    [
      "a rate is too old",
      { rates: [{ pair: "KES/USDT", ageSeconds: 200, fresh: false, staleSeconds: 80, partnerIds: null }] },
      [HEAD],
      "rates",
    ],
  ])("names the failing part when %s", (_, vitals, heads, name) => {
    const failed = failing(vitals, heads);
    expect(failed.map((check) => check.name)).toEqual([name]);
  });

  test.each<[string, Partial<Vitals>]>([
    ["no worker was ever heard of", { processes: [] }],
    ["the only worker is silent", { processes: [{ id: "w", kind: "worker", startedAt: new Date(0), beatAgeSeconds: 16, metrics: [] }] }],
  ])("says that nobody knows how the chain is when %s, whatever its nodes last said", (_, vitals) => {
    for (const heads of [[HEAD], [], [{ ...HEAD, askedSecondsAgo: 900, silentSeconds: 884 }]])
      expect(failing(vitals, heads)).toEqual([
        expect.objectContaining({ name: "worker" }),
        { name: "chain eip155:1", ok: false, detail: "unknown, because no worker is running to ask its nodes" },
      ]);
  });

  test("names every pair that somebody may quote and nobody can, whether its rate is old or gone", () => {
    const rate = { ageSeconds: null, fresh: false, staleSeconds: null, partnerIds: null };
    const rates = [
      ...WELL.rates,
      { ...rate, pair: "NGN/USDT" },
      { ...rate, pair: "EUR/USDT", ageSeconds: 200, staleSeconds: 80 },
      { ...rate, pair: "PHP/USDC" },
    ];
    expect(failing({ rates })).toEqual([
      { name: "rates", ok: false, detail: "no rate for NGN/USDT, PHP/USDC; the rate is too old for EUR/USDT" },
    ]);
  });

  test("says since when the first of the rates has been too old, for the first who asks too", () => {
    const rate = { fresh: false, partnerIds: null };
    const rates = [
      ...WELL.rates,
      { ...rate, pair: "NGN/USDT", ageSeconds: 130, staleSeconds: 10 },
      { ...rate, pair: "EUR/USDT", ageSeconds: 200, staleSeconds: 80 },
    ];
    expect(failing({ rates })).toEqual([
      { name: "rates", ok: false, detail: "the rate is too old for NGN/USDT, EUR/USDT", forSeconds: 80 },
    ]);
  });

  test("is not disturbed by one dead node while another answers", () => {
    expect(failing({}, [{ ...HEAD, node: "dead", askedSecondsAgo: 900, silentSeconds: 899 }, HEAD])).toEqual([]);
  });
});
