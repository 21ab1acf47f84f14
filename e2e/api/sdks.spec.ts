import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { packPython, packTypeScript } from "#scripts/pack-sdks.ts";
import { ROOT } from "#scripts/suites.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** The SDKs as a partner gets them: packed, installed in a folder that has nothing else, and run as their READMEs say. */

const run = promisify(execFile);
const CREDENTIALS = {
  SETTLEMENT_URL: BASE_URL,
  API_KEY: sandbox.partner.api_key,
  API_SECRET: sandbox.partner.api_secret,
  CALLBACK_SECRET: sandbox.partner.callback_secret,
};
const DONE = /^tx_\w+: [\d.]+ \w+ until \S+\nsettlement\.executed: executed 0x[0-9a-f]{64}\n$/;
let folder: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-sdk-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The worked example of a README. */
function example(sdk: string, language: string): string {
  const text = readFileSync(join(ROOT, "sdk", sdk, "README.md"), "utf8");
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1] ?? "";
}

/** Unpacks the tarball as npm would install it. */
async function installTypeScript(): Promise<void> {
  const tarball = await packTypeScript(folder);
  const home = join(folder, "node_modules", "settlement-sdk");
  mkdirSync(home, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
}

test("the packed TypeScript SDK holds what it needs and nothing else, and its README's example settles", async () => {
  await installTypeScript();
  const { stdout: files } = await run("find", ["node_modules/settlement-sdk", "-type", "f", "-not", "-path", "*/dist/*"], { cwd: folder });
  expect(files.trim().split("\n").sort()).toEqual(["node_modules/settlement-sdk/README.md", "node_modules/settlement-sdk/package.json"]);
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/settlement-sdk/package.json"), "utf8"));
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  writeFileSync(join(folder, "example.mjs"), example("typescript", "js"));
  const { stdout } = await run(process.execPath, ["example.mjs"], { cwd: folder, env: { ...process.env, ...CREDENTIALS } });
  expect(stdout).toMatch(DONE);
});

test("a program in strict TypeScript compiles against the packed types", async () => {
  await installTypeScript();
  const program = `import { Refused, SettlementClient, verifyCallback } from "settlement-sdk";
const client = new SettlementClient({ baseUrl: "https://api.example.com", apiKey: "k", apiSecret: "s" });
export async function main(): Promise<string> {
  const callback = await verifyCallback({ headers: {}, body: "" }, { callbackSecret: "whsec_" });
  if (callback.event === "settlement.executed") return callback.body.tx_hash;
  if (callback.event === "withdrawal.failed") return callback.body.failure_reason;
  try {
    return (await client.settlements.get("tx_1")).status;
  } catch (error) {
    if (Refused.is(error, "quote_changed")) return String(error.members.current_destination_amount);
    // @ts-expect-error: no such code
    if (Refused.is(error, "no_such_code")) return "";
    // @ts-expect-error: an intent is wanted
    await client.settlements.create({});
    throw error;
  }
}
`;
  writeFileSync(join(folder, "program.ts"), program);
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const how = "--noEmit --strict --exactOptionalPropertyTypes --target ES2022 --module nodenext --moduleResolution nodenext --types".split(
    " ",
  );
  const { stdout } = await run(process.execPath, [tsc, ...how, "", "--lib", "ES2022,DOM,DOM.Iterable", "program.ts"], {
    cwd: folder,
  }).catch((error) => error);
  expect(stdout).toBe("");
});

test("the Python SDK's wheel is installed by its format, and its README's example settles", async () => {
  const wheel = await packPython(folder);
  const { stdout: names } = await run("python3", ["-m", "zipfile", "-l", wheel]);
  expect(names).toContain("settlement_sdk/py.typed");
  await run("python3", ["-m", "zipfile", "-e", wheel, join(folder, "site")]);
  writeFileSync(join(folder, "example.py"), example("python", "python"));
  const env = { ...process.env, ...CREDENTIALS, PYTHONPATH: join(folder, "site") };
  const { stdout } = await run("python3", ["example.py"], { cwd: folder, env });
  expect(stdout).toMatch(DONE);
});

test("the Python SDK's own tests hold", async () => {
  const args = ["-B", "-m", "unittest", "discover", "-s", join("sdk", "python", "tests")];
  const { stderr } = await run("python3", args, { cwd: ROOT });
  expect(stderr).toMatch(/Ran \d+ tests[\s\S]*\nOK\n$/);
});
