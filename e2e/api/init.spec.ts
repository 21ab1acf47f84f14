import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { LANGUAGES, type Language } from "#cli/make-project.ts";
import { listSettlementsOperation } from "#contract/settlement/v1/operations.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { advanceClock } from "../support/clock.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { freshPath, profileWith, settle } from "../support/settle.ts";
import { find, SETTLEMENTS } from "../support/settlements.ts";

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
  test(`a project in ${language} pays each order once, also after its quote has expired, and its receiver is certified`, async () => {
    test.setTimeout(240_000);
    const project = join(folder, "my project");
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

    // After a crash before the confirmation, the order is paid once, however late that is.
    const payLate = writeLate(project, language);
    const order = `late-${language}-${Date.now()}`;
    expect(await payLate(order, "not a URL")).toEqual([]);
    await advanceClock(LATER_SECONDS);
    const [first, second] = await payLate(order, CALLBACK_URL, CALLBACK_URL);
    expect(first).toMatch(/^tx_/);
    expect(second).toBe(first);
    const settlements = await allOf(order);
    expect(settlements.map(({ tx_id, status }) => [tx_id === first, status === "quoted"])).toEqual([
      [true, false],
      [false, true],
    ]);

    const { url, stop } = await serveReceiver(project);
    const certified = await settle(["certify", "--receiver", url], profileWith()).finally(stop);
    expect([certified.code, certified.stdout]).toEqual([0, expect.stringMatching(/^Receiver: (\d+) of \1\n/)]);
  });

/** A quote lives for less. */
const LATER_SECONDS = 600;
const CALLBACK_URL = sandbox.receivers.url;

/** All settlements of the merchant of that name. */
async function allOf(merchant: string) {
  return read(listSettlementsOperation, await partner.get(`${SETTLEMENTS}?external_merchant_id=${merchant}`)).data;
}

const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** A program of the project that pays one order, once for each callback URL, and prints the settlement's id or why there is none. */
const LATE: Record<Language, { file: string; command: string; text: string }> = {
  typescript: {
    file: "late.mts",
    command: "node late.mts",
    text: `import { pay } from "./pay.mts";
import { createClient } from "./settings.mts";
const [id = "", ...urls] = (process.env.LATE ?? "").split("|");
for (const url of urls)
  console.log(await pay(createClient(), { id, amount: 250_000, merchant: id, wallet: "${WALLET}" }, url).catch(String));`,
  },
  python: {
    file: "late.py",
    command: ".venv/bin/python late.py",
    text: `import os
from pay import Order, pay
from settings import create_client
id, *urls = os.environ["LATE"].split("|")
for url in urls:
    try:
        print(pay(create_client(), Order(id, 250_000, id, "${WALLET}"), url))
    except Exception as error:
        print(repr(error))`,
  },
  go: {
    file: "late_test.go",
    command: "go test -v -count=1 -run TestLate .",
    text: `package main

import ("context"; "fmt"; "os"; "strings"; "testing")

func TestLate(t *testing.T) {
	settings, _ := ReadSettings()
	client, _ := settings.Client()
	words := strings.Split(os.Getenv("LATE"), "|")
	for _, url := range words[1:] {
		id, err := Pay(context.Background(), client, Order{ID: words[0], Amount: 250_000, Merchant: words[0], Wallet: "${WALLET}"}, url)
		if err != nil {
			id = err.Error()
		}
		fmt.Println(id)
	}
}`,
  },
  php: {
    file: "late.php",
    command: "php late.php",
    text: `<?php
require_once __DIR__ . '/settings.php';
require_once __DIR__ . '/pay.php';
$urls = explode('|', getenv('LATE'));
$id = array_shift($urls);
foreach ($urls as $url) {
    try {
        echo pay(create_client(), new Order($id, 250_000, $id, '${WALLET}'), $url), "\\n";
    } catch (Exception $error) {
        echo $error->getMessage(), "\\n";
    }
}`,
  },
};

function writeLate(project: string, language: Language) {
  const { file, command, text } = LATE[language];
  writeFileSync(join(project, file), text);
  return async (...words: string[]) => {
    const { stdout } = await run("sh", ["-c", command], { cwd: project, env: { ...OFFLINE, LATE: words.join("|") } });
    return stdout.split("\n").filter((line) => line.startsWith("tx_"));
  };
}

/** Starts the receiver as the README of the project says. */
async function serveReceiver(project: string) {
  const [, command = ""] = /^3\. Start your receiver: `(.*?)`/m.exec(readFileSync(join(project, "README.md"), "utf8")) ?? [];
  const port = String(await findFreePort());
  // In a process group of its own: `go run` is the parent of the program.
  const child = spawn("sh", ["-c", command.replace("8080", port)], {
    cwd: project,
    env: { ...OFFLINE, PORT: port },
    stdio: "ignore",
    detached: true,
  });
  const url = `http://127.0.0.1:${port}/callbacks`;
  await expect
    .poll(
      () =>
        fetch(url, { method: "POST" }).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBe(400);
  return { url, stop: () => void (child.pid !== undefined && process.kill(-child.pid)) };
}

test("a project in TypeScript says so if the machine's Node.js is too old for it, and which one will do", async () => {
  const older = `#!/bin/sh\n[ "$1" = --version ] && echo v20.20.2 && exit\nexec "${process.execPath}" "$@"\n`;
  writeFileSync(join(folder, "node"), older, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  const made = await settle(["init", "--language", "typescript", join(folder, "it's mine")], profileWith());
  process.env.PATH = path;
  expect((await run("sh", ["-c", `${/^cd .*$/m.exec(made.stdout)?.[0]} && pwd`])).stdout).toBe(`${join(folder, "it's mine")}\n`);
  expect([made.code, made.stderr]).toEqual([
    0,
    expect.stringMatching(/^The Node\.js in your PATH is v20\.20\.2\. The project needs 22\.18 .* export PATH="\/.*:\$PATH"\n$/),
  ]);
});

test("a folder that has files keeps them, and a wrong language, a key of live mode or a dead one makes nothing", async () => {
  writeFileSync(join(folder, "mine.txt"), "mine");
  const full = await settle(["init", "--language", "go", folder], profileWith());
  expect([full.code, full.stderr]).toEqual([2, `${folder} is not empty. Name a new folder.\n`]);
  const wrong = await settle(["init", "--language", "cobol", join(folder, "new")], profileWith());
  expect([wrong.code, wrong.stderr]).toEqual([2, '"--language" must be one of typescript, python, go, php.\n']);
  const live = await settle(["init", "--language", "go", join(folder, "new")], profileWith({ api_key: "key_live_1" }));
  expect([live.code, live.stderr]).toEqual([2, expect.stringContaining("it is made for a sandbox only")]);
  const dead = await settle(["init", "--language", "go", join(folder, "new")], profileWith({ api_key: "key_test_1" }));
  expect([dead.code, dead.stderr]).toEqual([
    1,
    expect.stringMatching(/does not accept your key \(unknown_api_key\).* Run "settle login --sandbox" again\.\n$/),
  ]);
  const withoutLogin = await settle(["init", "--language", "go", join(folder, "new"), "--file", join(folder, "none.json")], freshPath());
  expect([withoutLogin.code, withoutLogin.stderr]).toEqual([2, expect.stringContaining("Is the sandbox running?")]);
  expect(readdirSync(folder)).toEqual(["mine.txt"]);
  expect(existsSync(join(folder, "new"))).toBe(false);
});
