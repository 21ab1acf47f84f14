import { describe, expect, it } from "vitest";
import { haltReason } from "./halt-scope.ts";
import {
  type Disruption,
  findDisruptions,
  type Look,
  lasting,
  shareOperational,
  shownDays,
  splitByDay,
  stateOf,
  surfacesOf,
  unknownMs,
} from "./service-status.ts";
import { silentChainReason } from "./trouble-causes.ts";

const CHAINS = ["eip155:1", "eip155:137"];
const NOTHING: Look = { checks: [], isSlow: false, isScreeningSilent: false, vitals: { waitingTransfers: [], halts: [] } };
const failing = (...names: string[]) => names.map((name) => ({ name, ok: false, detail: "" }));
const found = (look: Partial<Look>) => findDisruptions({ ...NOTHING, ...look }, CHAINS);
/** Each impaired surface, and how. */
const states = (disruptions: readonly Disruption[]) =>
  Object.fromEntries(
    surfacesOf(CHAINS).flatMap((surface) => {
      const state = stateOf(surface, disruptions);
      return state === "operational" ? [] : [[surface, state]];
    }),
  );
const waits = (reason: string, kind: "treasury_funding" | "chain_unavailable" | "review" | null, chain = "eip155:1") => ({
  vitals: { halts: [], waitingTransfers: [{ chain, kind, reason, count: 1 }] },
});
const halted = (scope: { kind: "wallet" | "chain" | "provider" | "partner" | "all"; key: string }, chains: string[] = []) => ({
  vitals: {
    halts: [{ scope }],
    waitingTransfers: chains.map((chain) => ({ chain, kind: null, reason: haltReason({ cause: "operator" }), count: 1 })),
  },
});

describe("what a look at the service means for people outside", () => {
  it.each<[string, Partial<Look>, Record<string, string>]>([
    ["nothing fails", {}, {}],
    [
      "the database does not answer",
      { vitals: null, checks: failing("database") },
      Object.fromEntries(surfacesOf(CHAINS).map((surface) => [surface, "down"])),
    ],
    [
      "no worker runs, so nobody knows the chains",
      { checks: failing("worker", "chain eip155:1", "callbacks") },
      { "payments:eip155:1": "down", "payments:eip155:137": "down", fiat: "down", callbacks: "down" },
    ],
    [
      "a chain is silent, and payments wait for it",
      { checks: failing("chain eip155:1"), ...waits(silentChainReason("One"), null) },
      { "payments:eip155:1": "down" },
    ],
    ["the treasury is empty on a chain", waits("too little", "treasury_funding"), { "payments:eip155:1": "degraded" }],
    ["a payment is under review", waits("look at it", "review"), {}],
    ["payments are late", { checks: failing("transfers") }, { "payments:eip155:1": "degraded", "payments:eip155:137": "degraded" }],
    ["everything is halted", halted({ kind: "all", key: "*" }), { "payments:eip155:1": "down", "payments:eip155:137": "down" }],
    ["a chain is halted", halted({ kind: "chain", key: "eip155:137" }), { "payments:eip155:137": "down" }],
    ["a wallet is halted, and a payment waits", halted({ kind: "wallet", key: "w" }, ["eip155:1"]), { "payments:eip155:1": "degraded" }],
    ["a wallet is halted, and nothing waits", halted({ kind: "wallet", key: "w" }), {}],
    ["one partner is halted, and its payments wait", halted({ kind: "partner", key: "p" }, ["eip155:1"]), {}],
    ["a provider is halted", halted({ kind: "provider", key: "bank" }), { fiat: "degraded" }],
    ["fiat orders are late", { checks: failing("topups") }, { fiat: "degraded" }],
    ["callbacks are late", { checks: failing("callbacks") }, { callbacks: "degraded" }],
    ["a rate is too old", { checks: failing("rates") }, { settlement_api: "degraded" }],
    ["the database is slow", { isSlow: true }, { settlement_api: "degraded", partner_management: "degraded", console: "degraded" }],
    ["no source screens recipients", { isScreeningSilent: true }, { "payments:eip155:1": "degraded", "payments:eip155:137": "degraded" }],
  ])("%s", (_name, look, expected) => expect(states(found(look))).toEqual(expected));

  it("is only said of what two looks in a row have found", () => {
    const [rates] = found({ checks: failing("rates") });
    const both = found({ checks: failing("rates", "callbacks") });
    expect(lasting([], both)).toEqual([]);
    expect(lasting(rates ? [rates] : [], both)).toEqual([rates]);
    expect(lasting(found({ checks: failing("chain eip155:1") }), found({ checks: failing("chain eip155:137") }))).toEqual([]);
  });
});

describe("the time of a day", () => {
  it("is divided at midnight of UTC", () => {
    const [from, until] = [new Date("2026-11-28T23:59:50Z"), new Date("2026-11-29T00:00:05Z")];
    const midnight = new Date("2026-11-29T00:00:00Z");
    expect(splitByDay({ from, until })).toEqual([
      { day: "2026-11-28", from, until: midnight },
      { day: "2026-11-29", from: midnight, until },
    ]);
    expect(splitByDay({ from: until, until: from })).toEqual([]);
  });

  it("is unknown where nobody has measured, and ends now", () => {
    const day = { day: "2026-11-29", operationalMs: 3_600_000, degradedMs: 0, downMs: 60_000 };
    expect(unknownMs(day, new Date("2026-11-29T02:00:00Z"))).toBe(3_540_000);
    expect(unknownMs(day, new Date("2026-11-30T02:00:00Z"))).toBe(86_400_000 - 3_660_000);
    expect(unknownMs(day, new Date("2026-11-28T02:00:00Z"))).toBe(0);
  });

  it("counts for the share only where it is known", () => {
    expect(shareOperational([{ day: "2026-11-29", operationalMs: 0, degradedMs: 0, downMs: 0 }])).toBeNull();
    expect(shareOperational([{ day: "2026-11-29", operationalMs: 3, degradedMs: 0, downMs: 1 }])).toBe(0.75);
  });

  it("is shown for 90 days that end today", () => {
    const days = shownDays(new Date("2026-11-29T00:00:00Z"));
    expect([days.length, days[0], days.at(-1)]).toEqual([90, "2026-09-01", "2026-11-29"]);
  });
});
