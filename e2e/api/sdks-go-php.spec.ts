import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { ROOT } from "#scripts/suites.ts";
import { packGo, packPhp } from "#sdk/pack.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";

/** The SDKs for Go and PHP as a partner gets them: packed, unpacked in an otherwise empty folder, and run by their READMEs. */

const run = promisify(execFile);
const CREDENTIALS = {
  SETTLEMENT_URL: BASE_URL,
  API_KEY: sandbox.partner.api_key,
  API_SECRET: sandbox.partner.api_secret,
  CALLBACK_SECRET: sandbox.partner.callback_secret,
  CALLBACK_URL: sandbox.receivers.url,
};
/** What the examples of a README print: a settlement to its verified callback, a batch to its event, and fiat in and out. */
const PRINTED = [
  /^tx_\w+: [\d.]+ \w+ until \S+\nsettlement\.executed: executed 0x[0-9a-f]{64}\n$/,
  /^(ba_\w+): completed, 2 executed\nbatch\.completed: \1\n$/,
  /^Confirm the request for KES 2500\.00 [^\n]+\ntop-up: completed 0x[0-9a-f]{64}\nwithdrawal: completed 0x[0-9a-f]{64}\n$/,
];
let folder: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-sdk-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The worked examples of a README. */
function examples(language: string): string[] {
  const text = readFileSync(join(ROOT, "sdk", language, "README.md"), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, found = ""]) => found);
}

/** Unpacks a package as its README says; answers its folder's name. It has the licence and its changelog, and no tests. */
async function unpack(archive: string, language: string): Promise<string> {
  await run("python3", ["-m", "zipfile", "-e", archive, folder]);
  const name = basename(archive, ".zip");
  const { stdout: files } = await run("find", [".", "-type", "f"], { cwd: join(folder, name) });
  expect(files).not.toMatch(/\/tests\/|_test\./);
  expect(readFileSync(join(folder, name, "LICENSE"), "utf8")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
  expect(readFileSync(join(folder, name, "CHANGELOG.md"), "utf8")).toBe(readFileSync(join(ROOT, "sdk", language, "CHANGELOG.md"), "utf8"));
  return name;
}

test("the packed SDK for Go is clean by gofmt and vet, and its README's examples do what they say", async () => {
  const env = { ...process.env, ...CREDENTIALS, GOPROXY: "off", GOFLAGS: "-mod=mod" };
  const module = await unpack(packGo(folder), "go");
  writeFileSync(join(folder, "go.mod"), "module partner\n\ngo 1.19\n");
  const name = "settlement.example/go/settlement";
  await run("go", ["mod", "edit", "-require", `${name}@v0.0.0`, "-replace", `${name}=./${module}`], { cwd: folder, env });
  for (const [at, text] of examples("go").entries()) {
    mkdirSync(join(folder, `example${at}`));
    writeFileSync(join(folder, `example${at}`, "main.go"), text);
  }
  expect((await run("gofmt", ["-l", "."], { cwd: folder })).stdout).toBe("");
  await run("go", ["vet", "./...", name], { cwd: folder, env });
  await run("go", ["build", "-o", "bin/", "./..."], { cwd: folder, env });
  const ran = await Promise.all(PRINTED.map((_, at) => run(join(folder, "bin", `example${at}`), [], { cwd: folder, env })));
  expect(ran.map(({ stdout }) => stdout)).toEqual(PRINTED.map((shape) => expect.stringMatching(shape)));
});

test("the tests of the SDK for Go hold", async () => {
  const home = join(ROOT, "sdk", "go");
  expect((await run("gofmt", ["-l", "."], { cwd: home })).stdout).toBe("");
  await run("go", ["vet", "./..."], { cwd: home });
  const { stdout } = await run("go", ["test", "-count=1", "-v", "./..."], { cwd: home });
  expect(stdout.match(/^--- PASS: /gm)?.length).toBeGreaterThan(20);
  expect(stdout).not.toMatch(/^--- (?:FAIL|SKIP)/m);
});

test("every file of the packed SDK for PHP loads, and its README's examples do what they say", async () => {
  const env = { ...process.env, ...CREDENTIALS };
  const name = await unpack(packPhp(folder), "php");
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(JSON.parse(readFileSync(join(folder, name, "composer.json"), "utf8"))).toMatchObject({
    version,
    autoload: { "psr-4": { "SettlementSdk\\": "src/" } },
  });
  // Every file is loaded, by its name.
  const load = `require '${name}/autoload.php';
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('${name}/src', FilesystemIterator::SKIP_DOTS)) as $file) {
    $class = 'SettlementSdk' . strtr(substr($file->getPathname(), strlen('${name}/src'), -4), '/', '\\\\');
    if (!class_exists($class) && !interface_exists($class) && !trait_exists($class)) echo "$class\n";
}`;
  expect((await run("php", ["-d", "error_reporting=-1", "-r", load], { cwd: folder })).stdout).toBe("");
  const ran = examples("php").map(async (text, at) => {
    writeFileSync(join(folder, `example${at}.php`), text);
    return (await run("php", [`example${at}.php`], { cwd: folder, env })).stdout;
  });
  expect(await Promise.all(ran)).toEqual(PRINTED.map((shape) => expect.stringMatching(shape)));
});

test("the tests of the SDK for PHP hold", async () => {
  const { stdout } = await run("php", ["-d", "error_reporting=-1", join("sdk", "php", "tests", "run.php")], { cwd: ROOT });
  expect(stdout).toMatch(/\n(?:2[5-9]|[3-9]\d) tests, 0 failed\n$/);
});
