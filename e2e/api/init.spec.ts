import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { LANGUAGES } from "#cli/make-project.ts";
import { freshPath, profileWith, settle } from "../support/settle.ts";
import { find } from "../support/settlements.ts";

/** `settle init`: a project in each language, made and run as its README says, without a network besides the sandbox. */

const run = promisify(execFile);
const OFFLINE = {
  ...process.env,
  npm_config_offline: "true",
  PIP_NO_INDEX: "1",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  GOPROXY: "off",
};
/** What the program prints at the end, after what its tests and its installation print. */
const PAID = /\n(tx_\w+): confirmed for order-\d+\nsettlement\.executed: (0x[0-9a-f]{64})\n$/;
let folder: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settle-init-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

for (const language of LANGUAGES)
  test(`a project in ${language} pays an order once by its own tests, and refuses copies and forgeries`, async () => {
    test.setTimeout(240_000);
    const project = join(folder, "project");
    const made = await settle(["init", "--language", language, project, "--json"], profileWith());
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const { steps }: { steps: string[] } = JSON.parse(made.stdout);
    expect(readFileSync(join(project, "README.md"), "utf8")).toContain(`\`\`\`sh\n${steps.join("\n")}\n\`\`\``);
    expect(statSync(join(project, ".env")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(project, ".gitignore"), "utf8")).toMatch(/^\.env$/m);
    if (language === "go") expect((await run("sh", ["-c", "gofmt -l . && go vet ./..."], { cwd: project, env: OFFLINE })).stdout).toBe("");
    let printed = "";
    for (const step of steps) {
      const { stdout, stderr } = await run("sh", ["-c", step], { cwd: project, env: OFFLINE });
      printed += `${stderr}${stdout}`;
    }
    const [, txId = "", hash = ""] = PAID.exec(printed) ?? [];
    expect(await find(txId), printed).toMatchObject({ status: "executed", tx_hash: hash });
  });

test("a project in TypeScript says so if the machine's Node.js is too old for it, and which one will do", async () => {
  const older = `#!/bin/sh\n[ "$1" = --version ] && echo v20.20.2 && exit\nexec "${process.execPath}" "$@"\n`;
  writeFileSync(join(folder, "node"), older, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  const made = await settle(["init", "--language", "typescript", join(folder, "project")], profileWith());
  process.env.PATH = path;
  expect([made.code, made.stderr]).toEqual([
    0,
    expect.stringMatching(/^The Node\.js in your PATH is v20\.20\.2\. The project needs 22\.18 .* export PATH="\/.*:\$PATH"\n$/),
  ]);
});

test("a folder that has files keeps them, and a wrong language or a key of live mode makes nothing", async () => {
  writeFileSync(join(folder, "mine.txt"), "mine");
  const full = await settle(["init", "--language", "go", folder], profileWith());
  expect([full.code, full.stderr]).toEqual([2, `${folder} is not empty. Name a new folder.\n`]);
  const wrong = await settle(["init", "--language", "cobol", join(folder, "new")], profileWith());
  expect([wrong.code, wrong.stderr]).toEqual([2, '"--language" must be one of typescript, python, go, php.\n']);
  const live = await settle(["init", "--language", "go", join(folder, "new")], profileWith({ api_key: "key_live_1" }));
  expect([live.code, live.stderr]).toEqual([2, expect.stringContaining("it is made for a sandbox only")]);
  const withoutLogin = await settle(["init", "--language", "go", join(folder, "new"), "--file", join(folder, "none.json")], freshPath());
  expect([withoutLogin.code, withoutLogin.stderr]).toEqual([2, expect.stringContaining("Is the sandbox running?")]);
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
  expect(existsSync(join(folder, "new"))).toBe(false);
});
