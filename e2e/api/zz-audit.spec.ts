import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { sandboxFilePath } from "#sandbox/client/sandbox-file.ts";

const AUDIT = fileURLToPath(new URL("../../scripts/audit.ts", import.meta.url));

type Ran = { code: number; output: string };

/** As `npm run audit` does, on the sandbox of the stories. */
function audit(...args: string[]): Promise<Ran> {
  const env = { ...process.env, MODE: "sandbox", DATA_DIR: dirname(sandboxFilePath()), NODE_OPTIONS: "" };
  return new Promise((resolve) => {
    execFile(process.execPath, [AUDIT, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

/** The last of the API stories: whatever they did to the sandbox, its money and callbacks must be right. */
test.describe("after all stories", () => {
  test("the audit proves the sandbox's database clean, and against its chain", async () => {
    test.setTimeout(120_000);
    const { code, output } = await audit();
    expect(output.split("\n").filter((line) => line !== "" && !line.startsWith("✓"))).toEqual([
      expect.stringMatching(/^\d+ rules, \d+ checks, 0 violations$/),
    ]);
    expect(code).toBe(0);
    expect(output).toMatch(/✓ executed_is_on_the_chain \([1-9]/);
    expect(output).toMatch(/✓ treasury_is_there \(3\)/);
  });

  test("the audit says what is wrong with how it was called", async () => {
    expect(await audit("--since", "yesterday")).toMatchObject({ code: 2, output: expect.stringContaining("yesterday is no instant") });
  });
});
