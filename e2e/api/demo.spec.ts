import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { ROOT } from "#scripts/suites.ts";

/** `npm run demo`, which uses the SDK: every step checks what it prints, and the first failure exits with 1. */
for (const scene of ["settlement", "fiat", "batch"]) {
  test(`the demo plays its scene ${scene} to the end`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join("sandbox", "demo", "main.ts"), scene], { cwd: ROOT });
    expect(stdout).toContain("All of it happened");
  });
}
