import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSupervisor, type Part } from "#server/process/supervisor.ts";
import { restartOnChange } from "./restart-on-change.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-watch-"));
  mkdirSync(join(folder, "deep"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a part is ended in good order and started again when a source file changes, and not for a test or another file", async () => {
  const said: string[] = [];
  let starts = 0;
  let stops = 0;
  const part: Part = {
    name: "The part",
    start: async () => {
      starts += 1;
      let end = (_how: string): void => {};
      const exited = new Promise<string>((resolve) => {
        end = resolve;
      });
      const stop = async () => {
        stops += 1;
        end("exit code 0");
      };
      return { exited, stop };
    },
  };
  const supervisor = createSupervisor((line) => said.push(line));
  await supervisor.run(restartOnChange(part, [folder]));
  writeFileSync(join(folder, "note.md"), "");
  writeFileSync(join(folder, "one.test.ts"), "");
  writeFileSync(join(folder, "deep", "one.ts"), "");
  await expect.poll(() => starts, { timeout: 30_000 }).toBe(2);
  expect(stops).toBe(1);
  expect(said[0]).toContain(`${join("deep", "one.ts")} changed`);
  await supervisor.stop();
});
