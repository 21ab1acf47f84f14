import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { COMMANDS } from "#cli/commands.ts";
import { harmless, type Paint } from "#cli/out.ts";
import { readProfile } from "#cli/profile.ts";
import { settlementView } from "#cli/settlement-view.ts";
import type { Settlement } from "#sdk/typescript/src/index.ts";
import { deadUrl, forgetProfiles, keepProfile, settle, TEST_PROFILE } from "#testing/settle.ts";

afterEach(forgetProfiles);

const EXAMPLES = JSON.parse(readFileSync("contract/openapi-examples.json", "utf8"));
const SETTLEMENT: Settlement = EXAMPLES.settlement.answers.get_settlement["200"];

test("the help names every command, its own help every option, and both end well", async () => {
  const whole = await settle(["--help"]);
  expect(whole.code).toBe(0);
  for (const { name, summary, options } of COMMANDS) {
    expect(whole.stdout).toContain(`${name} `);
    expect(whole.stdout).toContain(summary);
    const own = await settle([name, "--help"]);
    expect([own.code, own.stderr]).toEqual([0, ""]);
    for (const option of Object.keys(options)) expect(own.stdout).toContain(`--${option}`);
  }
});

test("options of every command may come before it: the command runs, and a script learns how it ended", async () => {
  const profile = keepProfile({ base_url: await deadUrl() });
  for (const args of [
    ["--profile", profile, "confirm", "tx_1", "--external-tx-id", "order-1"],
    ["--json", "pairs"],
    [`--profile=${profile}`, "--json", "get", "tx_1"],
  ]) {
    const { code, stdout } = await settle(args, { SETTLE_PROFILE: profile });
    expect([args, code, stdout.includes("Usage")]).toEqual([args, 3, false]);
  }
});

test("what is not understood ends with 2 and says so in words of its own, and nothing is sent", async () => {
  const profile = { SETTLE_PROFILE: keepProfile() };
  const faulty: [string[], string][] = [
    [["--bogus"], 'Unknown option "--bogus". See "settle --help".'],
    [["--bogus", "pairs"], 'Unknown option "--bogus". See "settle pairs --help".'],
    [["pairs", "--bogus"], 'Unknown option "--bogus". See "settle pairs --help".'],
    [["pairs", "--json=yes"], '"--json" takes no value. See "settle pairs --help".'],
    [["pairs", "--profile"], '"--profile" needs a value: FILE. See "settle pairs --help".'],
    [["pairs", "extra"], 'Unexpected argument "extra": the command takes no argument.'],
    [["quot"], 'Unknown command "quot". Did you mean "quote"?'],
    [["help", "nothing"], 'Unknown command "nothing". Commands: login, init, doctor, '],
    [["help", "pairs", "quote"], 'Unexpected argument "quote"'],
    [["nothing", "--help"], 'Unknown command "nothing".'],
    [["--json"], "Usage"],
  ];
  for (const [args, words] of faulty) {
    const { code, stdout, stderr } = await settle(args, profile);
    expect([args, code]).toEqual([args, 2]);
    expect(stdout + stderr).toContain(words);
  }
});

test("prints the version as a word, and as JSON", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const args of [["--version"], ["-v"], ["pairs", "--version"]])
    expect(await settle(args)).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect(JSON.parse((await settle(["--version", "--json"])).stdout)).toEqual({ version });
});

test("a settlement's amounts are worded by its status", () => {
  const plain: Paint = { bold: String, dim: String, green: String, red: String, yellow: String };
  const view = (status: Settlement["status"]) => settlementView({ ...SETTLEMENT, status }, plain);
  expect(view("quoted")).toMatch(/Would be taken .*\n *Would be delivered /);
  expect(view("processing")).toMatch(/To be delivered /);
  expect(view("executed")).toMatch(/Taken .*\n *Delivered /);
  for (const status of ["failed", "cancelled"] as const) {
    expect(view(status)).toMatch(/Not delivered /);
    expect(view(status)).not.toMatch(/(^|\s)(Taken|Delivered) /m);
  }
});

test("no command, an unknown command and an unknown option are not understood", async () => {
  for (const args of [[], ["pay"], ["pairs", "--fast"], ["quote", "--amount"]]) {
    const { code } = await settle(args, { SETTLE_PROFILE: keepProfile() });
    expect(code, args.join(" ")).toBe(2);
  }
});

test("explains how to log in, to people and to programs", async () => {
  const nobody = { SETTLE_PROFILE: "/nonexistent/profile.json" };
  const people = await settle(["pairs"], nobody);
  expect([people.code, people.stdout]).toEqual([2, ""]);
  expect(people.stderr).toContain("settle login");
  const programs = await settle(["pairs", "--json"], nobody);
  expect([programs.code, programs.stderr]).toEqual([2, ""]);
  expect(JSON.parse(programs.stdout).error.message).toContain("settle login");
});

test("no answer is its own end, and says that a repeat is safe", async () => {
  const { code, stderr } = await settle(["get", "tx_1"], { SETTLE_PROFILE: keepProfile({ base_url: await deadUrl() }) });
  expect(code).toBe(3);
  expect(stderr).toContain("safe");
});

test("prints a refusal with its code and each fault's place, and no control characters reach the terminal", async () => {
  const body = {
    code: "validation_failed",
    detail: "no\u001b[2J good\u202e",
    errors: [{ pointer: "/wallet_address", code: "x", message: "bad\u0007" }],
  };
  const server = createServer((_request, response) => {
    response.writeHead(422, { "content-type": "application/problem+json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await settle(["get", "tx_1"], { SETTLE_PROFILE: keepProfile({ base_url }) }, true);
  server.close();
  expect(code).toBe(1);
  expect(stderr).toContain("422 validation_failed");
  expect(stderr).toContain("/wallet_address: bad\\u0007");
  expect(stderr).not.toMatch(/\u001b\[2J|\u202e|\u0007/);
});

test("colour is for terminals alone, and for none that turns it off", async () => {
  const profile = { SETTLE_PROFILE: keepProfile() };
  const args = ["sign", "GET", "/x"];
  expect((await settle(args, profile, true)).stdout).toContain("\u001b[");
  expect((await settle(args, { ...profile, NO_COLOR: "1" }, true)).stdout).not.toContain("\u001b[");
  expect((await settle(args, profile, false)).stdout).not.toContain("\u001b[");
  expect(harmless("\u001b[31mred\u001b[39m \u001b[8mhidden")).toBe("\u001b[31mred\u001b[39m \\u001b\\u005b\\u0038\\u006dhidden");
});

test("only its owner can read a profile, and a malformed one is refused in words", () => {
  const path = keepProfile();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  writeFileSync(path, '{"base_url": "ftp://x"}');
  expect(() => readProfile(path)).toThrow("missing or faulty: base_url, brand, api_key, api_secret, callback_secret, sandbox");
  expect(existsSync(path)).toBe(true);
});

test("a log-in that cannot be tried writes nothing, and takes no secret from the command line", async () => {
  const path = keepProfile();
  const before = readFileSync(path, "utf8");
  const url = await deadUrl();
  const { code, stderr } = await settle(["login", "--url", url, "--key", TEST_PROFILE.api_key], {
    SETTLE_PROFILE: path,
    API_SECRET: TEST_PROFILE.api_secret,
  });
  expect(code).toBe(3);
  expect(stderr).toContain(`Nothing listens at ${new URL(url).host}`);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect((await settle(["login", "--url", "http://x", "--key", "k", "--secret", "s"], { SETTLE_PROFILE: path })).code).toBe(2);
});
