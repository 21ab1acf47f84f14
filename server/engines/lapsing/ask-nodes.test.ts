import { describe, expect, it } from "vitest";
import type { LapsingChain, LookUp } from "#domain/lapsing-chain.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { askNodes } from "./ask-nodes.ts";

const ATTEMPT: LookUp = { id: "0x1", after: 10, expiry: { by: "height", last: 20 }, bytes: "" };
const ABSENT: LapsingReport = { kind: "absent", history: null, isExpired: false };

function chainOf(...nodes: { identity?: string; report: LapsingReport | Error }[]): Pick<LapsingChain, "nodes" | "identity"> {
  const answers = nodes.map(({ identity = "ours", report }) => ({
    identity: async () => identity,
    find: async () => {
      if (report instanceof Error) throw report;
      return report;
    },
  }));
  return { identity: "ours", nodes: answers as unknown as LapsingChain["nodes"] };
}

describe("asking the nodes about an attempt", () => {
  it("counts a silent node as no report, never as an absence", async () => {
    expect(await askNodes(chainOf({ report: new Unreachable("away") }, { report: ABSENT }), ATTEMPT)).toEqual([ABSENT]);
  });

  it("leaves out a node of another chain, whose absence would prove a lapse", async () => {
    expect(await askNodes(chainOf({ identity: "another", report: ABSENT }), ATTEMPT)).toEqual([]);
  });

  it("passes on what is neither silence nor a report", async () => {
    await expect(askNodes(chainOf({ report: new Rejected("no such method") }), ATTEMPT)).rejects.toThrow("no such method");
  });
});
