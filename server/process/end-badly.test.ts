import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** As an operator starts one process by itself, with nothing configured. */
function startApart(main: string, mode: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_ENV: "test", MODE: mode },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it.each([
  ["web", "server/http/main.ts"],
  ["worker", "server/worker/main.ts"],
])("a %s process that cannot start in live mode says so in lines of JSON alone", (name, main) => {
  const { status, stdout, stderr } = startApart(main, "live");
  expect(status).toBe(1);
  expect(stdout).toBe("");
  const [said, ...more] = stderr
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(said).toMatchObject({ level: "error", process: name, message: expect.stringContaining("DATABASE_URL is missing.") });
  expect(more).toEqual([]);
});

it("speaks to a person in the sandbox", () => {
  const { status, stderr } = startApart("server/worker/main.ts", "sandbox");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^\nThe service cannot start in sandbox mode:\n/);
});
