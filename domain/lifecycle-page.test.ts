import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("docs/lifecycle.md says what the table says", () => {
  const script = fileURLToPath(new URL("../scripts/lifecycle.ts", import.meta.url));
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow();
});
