import { expect, test } from "@playwright/test";
import { sandboxFilePath } from "#sandbox/client/sandbox-file.ts";
import { audit, faultsIn } from "./support/audit.ts";

/** The last of the stories of each project: whatever they did to the sandbox, its money and callbacks must be right. */
test.describe("after all stories", () => {
  test("the audit proves the sandbox's database clean, and against its chain", async () => {
    const { code, output } = await audit(sandboxFilePath());
    expect(faultsIn(output)).toEqual([expect.stringMatching(/^\d+ rules, \d+ checks, 0 violations$/)]);
    expect(code).toBe(0);
    expect(output).toMatch(/✓ executed_is_on_the_chain \([1-9]/);
    expect(output).toMatch(/✓ treasury_is_there \(3\)/);
  });

  test("the audit says what is wrong with how it was called", async () => {
    expect(await audit(sandboxFilePath(), "--since", "yesterday")).toMatchObject({
      code: 2,
      output: expect.stringContaining("yesterday is no instant"),
    });
  });
});
