import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { pauseAfter } from "./pause-between-starts.ts";

const PROGRAM = fileURLToPath(new URL("pause-between-starts.ts", import.meta.url));
const TWENTY_MINUTES_MS = 1_200_000;

/** The pauses of a process that ends as soon as it is started, in seconds. */
function pausesOf(count: number): number[] {
  let now = TWENTY_MINUTES_MS;
  let starts: number[] = [];
  return Array.from({ length: count }, () => {
    const { pauseMs, counted } = pauseAfter(starts, now);
    now += pauseMs + 1_000;
    starts = [...counted, now];
    return pauseMs / 1_000;
  });
}

describe("the pause before a unit's next start", () => {
  it("is none at first, grows to half a minute while it fails, and stays there", () => {
    expect(pausesOf(40)).toEqual([0, 0, 0, 1, 2, 4, 8, 16, ...Array.from({ length: 32 }, () => 30)]);
  });

  it("is none again for a process that ended after a good while", () => {
    expect(pauseAfter([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], TWENTY_MINUTES_MS)).toEqual({ pauseMs: 0, counted: [] });
  });

  it("does not count starts that are ahead of a clock that was set back", () => {
    expect(pauseAfter([TWENTY_MINUTES_MS + 1], TWENTY_MINUTES_MS)).toEqual({ pauseMs: 0, counted: [] });
  });

  it("notes each start where systemd keeps it for the next", () => {
    const folder = mkdtempSync(join(tmpdir(), "settlement-starts-"));
    try {
      const start = () =>
        spawnSync(process.execPath, [PROGRAM], { env: { NODE_ENV: "test", RUNTIME_DIRECTORY: folder }, encoding: "utf8" });
      expect([start(), start(), start()].map(({ status, stderr }) => ({ status, stderr }))).toEqual(
        Array.from({ length: 3 }, () => ({ status: 0, stderr: "" })),
      );
      expect(readFileSync(join(folder, "starts"), "utf8").split("\n")).toHaveLength(3);
      expect(start().stderr).toBe("Started 3 times in ten minutes: waiting 1 s.\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
