import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { takenOut } from "./seam.ts";
import type { Tally } from "./tally.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
/** Far more than any of them takes to be found. */
const MOST_UNTIL_FOUND = 20_000;
/** Other histories each day; `SEED=…` repeats those of a day. */
const SEED = process.env.SEED ?? new Date().toISOString().slice(0, 10);

/** In a process of its own: there the clocks, the chances and the database are simulated. */
async function simulate(...args: string[]): Promise<{ output: string; found: boolean }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { maxBuffer: 64 * 1024 * 1024 });
    return { output: stdout, found: false };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    if (code !== 1 || stdout === "") throw new Error(stderr, { cause: error });
    return { output: stdout, found: true };
  }
}

describe("the service's own code in a simulated world", () => {
  it(`keeps every promise in five hundred histories from seed ${SEED}`, async () => {
    const tally: Tally = JSON.parse((await simulate("--histories", "500", "--seed", SEED, "--json")).output);
    expect(tally.failed).toEqual([]);
    expect(tally.histories).toBe(500);
    for (const kind of [
      "kill",
      "fork",
      "deep fork",
      "count lies",
      "wake lost",
      "database away",
      "freeze",
      "timeout",
      "hides",
      "quote runs out",
    ])
      expect(tally.faults[kind], kind).toBeGreaterThan(0);
  });

  it("does the same, step by step, for the same seed", async () => {
    const [one, other] = await Promise.all([1, 2].map(() => simulate("--only", "again.7")));
    const parts = (one?.output ?? "").split(/^── (\w+) ──$/m).slice(1);
    const lengths = Object.fromEntries(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1]?.split("\n").length]] : [])));
    expect(Object.keys(lengths)).toEqual(["payments", "packs", "wallets", "orders", "lapsing", "callbacks", "settlements"]);
    for (const [family, length] of Object.entries(lengths)) expect(length, family).toBeGreaterThan(10);
    expect(one?.output).toBe(other?.output);
  });
});

describe("a mend that is taken out", () => {
  for (const { name, family, defect, seed, from = 0 } of MUTANTS)
    it(`(${name}) is found: ${defect.charAt(0).toLowerCase()}${defect.slice(1)}`, async () => {
      const wanted = ["--family", family, "--histories", String(MOST_UNTIL_FOUND), "--without", name, "--from", String(from), "--json"];
      const { output, found } = await simulate(...wanted, ...(seed === undefined ? [] : ["--seed", seed]));
      const tally: Tally = JSON.parse(output);
      expect(found).toBe(true);
      expect(tally.failed[0]?.violations.join("\n")).not.toMatch(/the simulation itself broke|outside of the simulation/);
    });

  it("is refused where it is not to be found: then the mend has moved", () => {
    expect(() => takenOut("one two", { file: "a.ts", is: "three", was: "" })).toThrow("a.ts does not have exactly once: three");
    expect(() => takenOut("one one", { file: "a.ts", is: "one", was: "" })).toThrow("exactly once");
  });
});
