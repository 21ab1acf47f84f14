import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CLI_ELSEWHERE } from "#app/docs/_content/commands.ts";
import { ROOT } from "#scripts/suites.ts";

const folder = mkdtempSync(join(tmpdir(), "settle-elsewhere-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(CLI_ELSEWHERE.split("\n"))("from another folder, as the page says: %s", (line) => {
  const prefix = join(folder, "global");
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    npm_config_prefix: prefix,
    npm_config_offline: "true",
    PATH: `${prefix}/bin:${process.env.PATH}`,
  };
  const output = execFileSync("sh", ["-c", line.replaceAll("PROJECT", ROOT)], { cwd: folder, env, encoding: "utf8" });
  expect(output).toContain("Usage: settle COMMAND");
});
