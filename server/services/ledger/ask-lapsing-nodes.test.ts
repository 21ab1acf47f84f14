import { describe, expect, it } from "vitest";
import type { LapsingNode, LookUp } from "#domain/lapsing-chain.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { askNodes, listAnswering } from "./ask-lapsing-nodes.ts";

const ATTEMPT: LookUp = { id: "0x1", after: 10, expiry: { by: "height", last: 20 }, bytes: "" };
const POINT = { height: 30, at: new Date(30_000) };
const ABSENT: LapsingReport = { kind: "absent", history: null, isExpired: false };

function nodeOf(answer: { identity?: string | Error; report?: LapsingReport | Error }): LapsingNode {
  const give = async <Value>(value: Value | Error) => {
    if (value instanceof Error) throw value;
    return value;
  };
  const node: Pick<LapsingNode, "identity" | "find"> = {
    identity: () => give(answer.identity ?? "ours"),
    find: () => give(answer.report ?? ABSENT),
  };
  return node as LapsingNode;
}

describe("asking the nodes about an attempt", () => {
  it("counts a silent node as no report, never as an absence", async () => {
    expect(await askNodes([nodeOf({ report: new Unreachable("away") }), nodeOf({})], "ours", ATTEMPT)).toEqual([ABSENT]);
  });

  it("passes on what is neither silence nor a report", async () => {
    await expect(askNodes([nodeOf({ report: new Rejected("no such method") })], "ours", ATTEMPT)).rejects.toThrow("no such method");
  });

  it("leaves out what may end an attempt where the node is of another chain by now, or silent", async () => {
    const proof: LapsingReport = { kind: "absent", history: { from: POINT, to: POINT }, isExpired: true };
    const nodes = ["another", new Unreachable("away"), "ours"].map((identity) => nodeOf({ identity, report: proof }));
    expect(await askNodes(nodes, "ours", ATTEMPT)).toEqual([proof]);
  });

  it("leaves out a node of another chain, whose absence would prove a lapse, and one that is silent", async () => {
    const [ours, other, silent] = [nodeOf({}), nodeOf({ identity: "another" }), nodeOf({ identity: new Unreachable("away") })];
    expect(await listAnswering({ identity: "ours", nodes: [other, ours, silent] })).toEqual([ours]);
  });
});
