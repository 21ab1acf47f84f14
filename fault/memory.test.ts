import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { judge, NOTHING } from "./checker.ts";
import { askable, keptPerRequest, type Look, lookAt } from "./memory.ts";

const KB = 1_024;
const looksOf = (held: readonly number[], each = 100): Look[] =>
  held.map((heldBytes, index) => ({ requests: index * each, heldBytes, residentBytes: 0 }));

describe("what a process keeps of each request", () => {
  it("is what goes on growing, whatever a single look says", () => {
    expect(keptPerRequest(looksOf([0, 1, 2, 3, 4].map((times) => times * 400 * KB)))).toBe(4 * KB);
    expect(keptPerRequest(looksOf([0, 400 * KB, 800 * KB, 20_000 * KB, 1_600 * KB, 2_000 * KB]))).toBe(4 * KB);
  });

  it("is nothing of what was loaded once, nor of what breathes", () => {
    expect(keptPerRequest(looksOf([0, 9_000 * KB, 9_000 * KB, 9_000 * KB, 9_000 * KB, 9_000 * KB]))).toBe(0);
    expect(Math.abs(keptPerRequest(looksOf([300, 0, 290, 10, 280, 20, 300, 0].map((kb) => kb * KB))))).toBeLessThan(KB);
  });
});

/** Answers each line with one, makes a lot of garbage for it, and leaks this much of it. */
const PROGRAM = `
  const kept = [];
  process.stdin.on("data", (lines) => {
    for (const line of String(lines).split("\\n").filter(Boolean)) {
      Array.from({ length: 200 }, (_, index) => ({ line, index, text: "x".repeat(50) + index }));
      if (Number(process.argv[1]) > 0) kept.push(Buffer.alloc(Number(process.argv[1]), line).toString("latin1"));
      process.stdout.write(line + "\\n");
    }
  });
  process.stdout.write("ready\\n");
`;

describe("a process that was started to be asked", () => {
  const folder = mkdtempSync(join(tmpdir(), "held-"));
  let child: ChildProcess | null = null;
  afterEach(() => void child?.kill());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The result for a program that leaks this much per request, with as few requests as the short form's, after this many others. */
  async function found(keeps: number, after: number): Promise<string[]> {
    const own = spawn(process.execPath, ["-e", PROGRAM, String(keeps)], { env: { ...process.env, ...askable(folder) } });
    child = own;
    await once(own.stdout, "data");
    const answer = async (count: number, from: number) => {
      for (let index = 0; index < count; index += 1) {
        const answered = once(own.stdout, "data");
        own.stdin.write(`request ${from + index}\n`);
        await answered;
      }
    };
    await answer(200, 0);
    const looks = [await lookAt(folder, own.pid ?? 0, after + 200)];
    for (let wave = 0; wave < 8; wave += 1) {
      await answer(90, 1_000 * wave);
      looks.push(await lookAt(folder, own.pid ?? 0, after + 200 + 90 * (wave + 1)));
    }
    const outcomes = judge({ ...NOTHING, memory: [{ process: "web", looks }] });
    return outcomes.flatMap(({ rule, violations }) => (rule === "memory" ? violations : []));
  }

  it("is found to leak by what it keeps, however much else it makes and throws away", async () => {
    expect(await found(4 * KB, 4_000)).toEqual([expect.stringMatching(/^web keeps 4\d{3} bytes of each request$/)]);
  });

  it("is found to keep whole requests also while it is not warm", async () => {
    expect(await found(32 * KB, 0)).toEqual([expect.stringMatching(/^web keeps 3\d{4} bytes of each request$/)]);
  });

  it("is not found to leak where it keeps nothing", async () => {
    expect(await found(0, 4_000)).toEqual([]);
  });
});
