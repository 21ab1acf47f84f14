import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { chromium, expect, test } from "@playwright/test";
import { ROOT } from "#scripts/suites.ts";
import { packPython, packPythonSource, packTypeScript } from "#sdk/pack.ts";
import { launchOptions } from "../support/browser.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { quote } from "../support/settlements.ts";

/** The SDKs as a partner gets them: packed, installed in an otherwise empty folder, and run by their READMEs. */

const run = promisify(execFile);
const CREDENTIALS = {
  SETTLEMENT_URL: BASE_URL,
  API_KEY: sandbox.partner.api_key,
  API_SECRET: sandbox.partner.api_secret,
  CALLBACK_SECRET: sandbox.partner.callback_secret,
  CALLBACK_URL: sandbox.receivers.url,
};
const DONE = /^tx_\w+: [\d.]+ \w+ until \S+\nsettlement\.executed: executed 0x[0-9a-f]{64}\n$/;
const BATCH_DONE = /^(ba_\w+): completed, 2 executed\nbatch\.completed: \1\n$/;
const FIAT_DONE =
  /^Confirm the request for KES 2500\.00 [^\n]+\ntopup\.completed: completed 0x[0-9a-f]{64}\nwithdrawal\.completed: completed 0x[0-9a-f]{64}\n$/;
const ASYNC_DONE = /^(?:tx_\w+: executed 0x[0-9a-f]{64}\n){3}$/;
/** httpx, which the async client of the SDK for Python takes: `scripts/prepare/tools.mjs` puts it there, unless Python has it. */
const PYTHON_PACKAGES = join(ROOT, "node_modules", ".cache", "settlement", "python");
let folder: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-sdk-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The worked examples of a README: a settlement's, then those of fiat. */
function examples(sdk: string, language: string): string[] {
  const text = readFileSync(join(ROOT, "sdk", sdk, "README.md"), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, found = ""]) => found);
}

/** Says what changed in that SDK, version by version. */
function changelogOf(sdk: string): string {
  const text = readFileSync(join(ROOT, "sdk", sdk, "CHANGELOG.md"), "utf8");
  expect(text).toMatch(/^## Unreleased\n[\s\S]*^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/m);
  return text;
}

/** Unpacks the tarball as npm would install it. */
async function installTypeScript(): Promise<void> {
  const tarball = await packTypeScript(folder);
  const home = join(folder, "node_modules", "settlement-sdk");
  mkdirSync(home, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
}

test("the packed TypeScript SDK holds what it needs and nothing else, and its README's examples do what they say", async () => {
  await installTypeScript();
  const { stdout: files } = await run("find", ["node_modules/settlement-sdk", "-type", "f", "-not", "-path", "*/dist/*"], { cwd: folder });
  expect(files.trim().split("\n").sort()).toEqual(
    ["CHANGELOG.md", "LICENSE", "README.md", "package.json"].map((name) => `node_modules/settlement-sdk/${name}`),
  );
  expect(readFileSync(join(folder, "node_modules/settlement-sdk/CHANGELOG.md"), "utf8")).toBe(changelogOf("typescript"));
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/settlement-sdk/package.json"), "utf8"));
  expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
  const printed: string[] = [];
  for (const text of examples("typescript", "js")) {
    writeFileSync(join(folder, "example.mjs"), text);
    printed.push((await run(process.execPath, ["example.mjs"], { cwd: folder, env: { ...process.env, ...CREDENTIALS } })).stdout);
  }
  expect(printed).toEqual([DONE, BATCH_DONE, FIAT_DONE].map((shape) => expect.stringMatching(shape)));
});

test("the packed TypeScript SDK works in CommonJS, with its types, in each way that TypeScript resolves modules", async () => {
  await installTypeScript();
  const program = `const { Refused, SettlementClient, verifyCallback } = require("settlement-sdk");
const { SETTLEMENT_URL, API_KEY, API_SECRET } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });
client.settlements.get("tx_nothing").catch((error) => console.log(error instanceof Refused, error.code, typeof verifyCallback));
`;
  writeFileSync(join(folder, "program.cjs"), program);
  const { stdout } = await run(process.execPath, ["program.cjs"], {
    cwd: folder,
    env: { ...process.env, ...CREDENTIALS, FORCE_COLOR: "0" },
  });
  expect(stdout).toBe("true settlement_not_found function\n");

  const typed = `import { type Settlement, SettlementClient } from "settlement-sdk";
export async function find(client: SettlementClient): Promise<Settlement> {
  // @ts-expect-error: no such member
  void client.settlement;
  return await client.settlements.get("tx_1");
}
`;
  for (const name of ["typed.cts", "typed.mts"]) writeFileSync(join(folder, name), typed);
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const options = ["--noEmit", "--strict", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable", "--types", ""];
  for (const how of [
    ["--module", "nodenext"],
    ["--module", "node16"],
    ["--module", "preserve", "--moduleResolution", "bundler"],
  ]) {
    const compiled = await run(process.execPath, [tsc, ...options, ...how, "typed.cts", "typed.mts"], { cwd: folder }).catch(
      (error) => error,
    );
    expect(compiled.stdout, how.join(" ")).toBe("");
  }
});

test("the packed TypeScript SDK sends signed requests from a module worker of a browser", async () => {
  await installTypeScript();
  const browser = await chromium.launch(launchOptions);
  const got: IncomingMessage[] = [];
  const worker = `import { SettlementClient } from "/dist/index.js";
const client = new SettlementClient({ baseUrl: location.origin, apiKey: "key_1", apiSecret: "sec_1" });
client.settlements.get("tx_1").then(({ tx_id }) => postMessage(tx_id), (error) => postMessage(String(error)));`;
  const server = createServer((request, response) => {
    const target = request.url ?? "";
    const answer = (type: string, body: string | Buffer) => void response.writeHead(200, { "content-type": type }).end(body);
    if (target === "/") return answer("text/html", "<!doctype html><title>SDK</title>");
    if (target === "/worker.js") return answer("text/javascript", worker);
    if (target.startsWith("/dist/")) return answer("text/javascript", readFileSync(join(folder, "node_modules/settlement-sdk", target)));
    got.push(request);
    return answer("application/json", JSON.stringify({ tx_id: "tx_1" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${Object(server.address()).port}/`);
    const printed = page.evaluate(
      () => new Promise((resolve) => new Worker("/worker.js", { type: "module" }).addEventListener("message", ({ data }) => resolve(data))),
    );
    expect(await printed).toBe("tx_1");
    const [request] = got.filter(({ url }) => url === "/api/v1/settlements/tx_1");
    expect(request?.headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
});

test("programs in strict TypeScript, those of the documentation too, compile against the packed types", async () => {
  await installTypeScript();
  const program = `import { Refused, SettlementClient, verifyCallback } from "settlement-sdk";
const client = new SettlementClient({ baseUrl: "https://api.example.com", apiKey: "k", apiSecret: "s" });
export async function main(): Promise<string> {
  const callback = await verifyCallback({ headers: {}, body: "" }, { callbackSecret: "whsec_" });
  if (callback.event === "settlement.executed") return callback.body.tx_hash;
  if (callback.event === "withdrawal.failed") return callback.body.failure_reason;
  if (callback.event === "topup.completed") return callback.body.payment.instructions ?? callback.body.completed_at;
  // @ts-expect-error: a withdrawal has no payment
  if (callback.event === "withdrawal.completed") return callback.body.payment;
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
  const compile = async (files: string[], ...more: string[]): Promise<string> => {
    const how = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", ...more, ...files];
    return (await run(process.execPath, [tsc, ...how], { cwd: folder }).catch((error) => error)).stdout;
  };
  expect(await compile(["program.ts"], "--target", "ES2022", "--types", "", "--lib", "ES2022,DOM,DOM.Iterable")).toBe("");
  const samples = ["quickstart.mts", "withdrawal.mts", "topup.mts", "follow.mts"];
  for (const file of samples) cpSync(join(ROOT, "app", "docs", "_samples", file), join(folder, file));
  const node = ["--target", "ES2022", "--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
  expect(await compile(samples, ...node)).toBe("");
});

test("the Python SDK's wheel is installed by its format, and its README's examples do what they say", async () => {
  const wheel = await packPython(folder);
  const { stdout: names } = await run("python3", ["-m", "zipfile", "-l", wheel]);
  expect(names).toContain("settlement_sdk/py.typed");
  expect(names).toMatch(/settlement_sdk-[\d.]+\.dist-info\/LICENSE/);
  await run("python3", ["-m", "zipfile", "-e", wheel, join(folder, "site")]);
  const [info = ""] = /settlement_sdk-[\d.]+\.dist-info/.exec(names) ?? [];
  expect(readFileSync(join(folder, "site", info, "CHANGELOG.md"), "utf8")).toBe(changelogOf("python"));
  const env = { ...process.env, ...CREDENTIALS, PYTHONPATH: [join(folder, "site"), PYTHON_PACKAGES].join(delimiter) };
  const printed: string[] = [];
  for (const text of examples("python", "python")) {
    writeFileSync(join(folder, "example.py"), text);
    printed.push((await run("python3", ["example.py"], { cwd: folder, env })).stdout);
  }
  expect(printed).toEqual([DONE, BATCH_DONE, FIAT_DONE, ASYNC_DONE].map((shape) => expect.stringMatching(shape)));
});

/** The results of each packed SDK for the published vectors, and for a proof and a callback key of this service. */
const VECTORS = join(ROOT, "docs", "proof-vectors.json");
const JUDGED_IN_JS = `import { readFileSync } from "node:fs";
import { SettlementClient, verifyCallback, verifyProof } from "settlement-sdk";
const { issuer, jwks, proofs, callbacks } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const holds = (judged) => judged.then(() => true, () => false);
for (const { name, proof, valid } of proofs) if ((await holds(verifyProof(proof, jwks, { issuer }))) !== valid) console.log(name);
for (const { name, valid, body, ...headers } of callbacks)
  if ((await holds(verifyCallback({ headers, body }, { publicKeys: jwks, now: 1763800000000 }))) !== valid) console.log(name);
const { SETTLEMENT_URL: baseUrl, API_KEY: apiKey, API_SECRET: apiSecret, TX_ID } = process.env;
const client = new SettlementClient({ baseUrl, apiKey, apiSecret });
const { quote } = await client.settlements.proof(TX_ID);
console.log((await verifyProof(quote, await client.publicKeys(), { issuer: baseUrl })).claims.sub);
`;
const JUDGED_IN_PYTHON = `import json, os, sys
from settlement_sdk import CallbackRefused, ProofRefused, SettlementClient, verify_callback, verify_proof
given = json.load(open(sys.argv[1], encoding="utf-8"))
def holds(judge):
    try:
        judge()
        return True
    except (CallbackRefused, ProofRefused):
        return False
for one in given["proofs"]:
    if holds(lambda: verify_proof(one["proof"], given["jwks"], issuer=given["issuer"])) != one["valid"]:
        print(one["name"])
for one in given["callbacks"]:
    if holds(lambda: verify_callback(one, one["body"].encode(), public_keys=given["jwks"], now=1763800000)) != one["valid"]:
        print(one["name"])
client = SettlementClient(os.environ["SETTLEMENT_URL"], os.environ["API_KEY"], os.environ["API_SECRET"])
proof = client.settlements.proof(os.environ["TX_ID"])["quote"]
print(verify_proof(proof, client.public_keys(), issuer=os.environ["SETTLEMENT_URL"]).claims["sub"])
`;

test("the Python SDK's source distribution builds the very wheel, and both say what they are", async () => {
  const [wheel, again, source] = [await packPython(folder), join(folder, "again"), await packPythonSource(folder)];
  await run("tar", ["-xzf", source, "-C", folder]);
  mkdirSync(again);
  const unpacked = source.replace(/\.tar\.gz$/, "");
  await run("python3", ["build_backend.py", again], { cwd: unpacked });
  expect(readFileSync(join(again, basename(wheel))).equals(readFileSync(wheel))).toBe(true);
  const metadata = readFileSync(join(unpacked, "PKG-INFO"), "utf8");
  for (const line of [
    "License: MIT",
    "Requires-Python: >=3.9",
    "Classifier: Programming Language :: Python :: 3.13",
    "Author: ",
    "Requires-Dist: httpx>=0.23.3,<1; extra == 'async'",
  ])
    expect(metadata).toContain(`\n${line}`);
  const license = readFileSync(join(ROOT, "LICENSE"), "utf8");
  expect(readFileSync(join(unpacked, "LICENSE"), "utf8")).toBe(license);
  expect(readFileSync(join(unpacked, "CHANGELOG.md"), "utf8")).toBe(changelogOf("python"));
  expect(readFileSync(join(ROOT, "sdk", "typescript", "LICENSE"), "utf8")).toBe(license);
});

test("both packed SDKs check proofs and callbacks with public keys alone, and fall for no vector that was tampered with", async () => {
  const { tx_id } = await quote();
  const env = { ...process.env, ...CREDENTIALS, TX_ID: tx_id, PYTHONPATH: join(folder, "site") };
  await installTypeScript();
  writeFileSync(join(folder, "judge.mjs"), JUDGED_IN_JS);
  expect((await run(process.execPath, ["judge.mjs", VECTORS], { cwd: folder, env })).stdout).toBe(`${tx_id}\n`);
  await run("python3", ["-m", "zipfile", "-e", await packPython(folder), join(folder, "site")]);
  writeFileSync(join(folder, "judge.py"), JUDGED_IN_PYTHON);
  expect((await run("python3", ["judge.py", VECTORS], { cwd: folder, env })).stdout).toBe(`${tx_id}\n`);
});

test("the Python SDK's own tests hold", async () => {
  const args = ["-B", "-m", "unittest", "discover", "-s", join("sdk", "python", "tests")];
  const { stderr } = await run("python3", args, { cwd: ROOT, env: { ...process.env, PYTHONPATH: PYTHON_PACKAGES } });
  expect(stderr).toMatch(/Ran \d+ tests[\s\S]*\nOK\n$/);
});
