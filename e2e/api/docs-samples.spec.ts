import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { getMemberOperation } from "#contract/partner/member-operations.ts";
import { packGo, packPhp, packPython, packTypeScript } from "#sdk/pack.ts";
import { read } from "../support/answers.ts";
import { asPartner } from "../support/partner-surface.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { quote, until } from "../support/settlements.ts";

/** What the documentation shows, run as it is shown: taken from the pages of the service that is under test. */

const run = promisify(execFile);
const PATIENCE_MS = 45_000;
const CREDENTIALS = {
  SETTLEMENT_URL: BASE_URL,
  API_KEY: sandbox.partner.api_key,
  API_SECRET: sandbox.partner.api_secret,
  CALLBACK_SECRET: sandbox.partner.callback_secret,
};

async function textOf(path: string): Promise<string> {
  const answer = await fetch(BASE_URL + path);
  expect(answer.status, path).toBe(200);
  return await answer.text();
}

/** The blocks of that language in a page's Markdown; `inside`: only those under headings of the second order that fit. */
async function blocksOf(page: string, language: string, inside = /^/): Promise<string[]> {
  const sections = (await textOf(`${page}.md`)).split(/^(?=## )/m).filter((text) => inside.test(text));
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "gm");
  return sections.flatMap((text) => [...text.matchAll(block)].map(([, found = ""]) => found));
}

/** What differs from run to run, out of the way. */
function masked(text: string): string {
  return text
    .replace(/\b(tx|wd|tu|de|sim_wd|sim_tu)_[0-9a-z]{26}/g, "$1_…")
    .replace(/0x[0-9a-fA-F]{40,64}/g, "0x…")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/[A-Z]{3} to [A-Z]{3,4} on eip155:\d+, from \d+/g, "<pair>")
    .replace(/from \d+ minor units/g, "from <amount>")
    .replace(/[\d.]+ USD[CT]/g, "<amount>");
}

const PROGRAMS = [
  { ending: "sh", runtime: "bash", args: [] },
  { ending: "mts", runtime: "node", args: [] },
  { ending: "py", runtime: "python3", args: [] },
  { ending: "go", runtime: "go", args: ["run"] },
  { ending: "php", runtime: "php", args: [] },
];

/** The folder for running programs: with the installed SDK packages, and nothing else. */
let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "settlement-docs-"));
  const home = join(folder, "node_modules", "settlement-sdk");
  mkdirSync(home, { recursive: true });
  await run("tar", ["-xzf", await packTypeScript(folder), "-C", home, "--strip-components=1"]);
  await run("python3", ["-m", "zipfile", "-e", await packPython(folder), join(folder, "site")]);
  const packed = join(folder, "packed");
  mkdirSync(packed);
  packGo(packed);
  packPhp(packed);
  // The page's own commands, without those that fetch and run the program.
  const commands = (await blocksOf("/docs/fiat", "bash", /^## A withdrawal/)).filter((text) => /settlement-sdk-(?:go|php)/.test(text));
  expect(commands.length).toBe(2);
  const steps = commands.flatMap((text) => text.split("\n").filter((line) => !/^(?:curl|go run|php) /.test(line)));
  await run("bash", ["-euo", "pipefail", "-c", steps.join("\n")], { cwd: folder, env: { ...process.env, SDK: packed } });
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program prints. */
async function printedBy(program: (typeof PROGRAMS)[number], file: string, text: string): Promise<string> {
  writeFileSync(join(folder, file), text);
  const plain = { FORCE_COLOR: "0", PYTHONDONTWRITEBYTECODE: "1" };
  const env = { ...process.env, ...CREDENTIALS, ...plain, PYTHONPATH: join(folder, "site") };
  const command = program.runtime === "node" ? process.execPath : program.runtime;
  return (await run(command, [...program.args, file], { cwd: folder, env })).stdout.trimEnd();
}

const SAMPLES = [
  { page: "/docs/quickstart", name: "quickstart", inside: /^## \d/, endings: ["sh", "mts", "py", "go", "php"] },
  { page: "/docs/fiat", name: "withdrawal", inside: /^## A withdrawal/, endings: ["sh", "mts", "py", "go", "php"] },
  { page: "/docs/fiat", name: "topup", inside: /^## A top-up/, endings: ["sh", "mts", "py", "go", "php"] },
  { page: "/docs/follow", name: "follow", inside: /^## \d/, endings: ["sh", "mts", "py", "go", "php"] },
];
for (const { page, name, inside, endings } of SAMPLES) {
  test(`the programs of the ${name} reach a verified callback or event, and print what the page says that they print`, async () => {
    const printed = masked((await blocksOf(page, "text", inside)).join("\n"));
    expect(printed.match(/^\d\. /gm)?.length).toBe(5);
    const programs = PROGRAMS.filter(({ ending }) => endings.includes(ending));
    const ran = await Promise.all(
      programs.map(async (program) => {
        const file = `${name}.${program.ending}`;
        return { file, output: await printedBy(program, file, await textOf(`/docs/samples/${file}`)) };
      }),
    );
    for (const { file, output } of ran) expect(masked(output), file).toBe(printed);
  });
}

test("the programs of fiat in and out read a failure from its callback, too", async () => {
  const ends = [
    { name: "withdrawal", end: "5. withdrawal.failed: The account does not exist. The crypto was returned. Given back by 0x…" },
    { name: "topup", end: "5. topup.failed: The account does not exist." },
  ];
  const ran = await Promise.all(
    ends.flatMap(({ name, end }) =>
      PROGRAMS.map(async (program) => {
        const file = `failing-${name}.${program.ending}`;
        const text = await textOf(`/docs/samples/${name}.${program.ending}`);
        return { file, end, output: await printedBy(program, file, text.replace(/(account"?:\s+["'])\+\d+/i, "$1+254700999901")) };
      }),
    ),
  );
  for (const { file, end, output } of ran) expect(masked(output).split("\n").at(-1), file).toBe(end);
});

test("the sandbox's keys are found where the pages say that they are", async () => {
  mkdirSync(join(folder, ".data"));
  writeFileSync(join(folder, ".data", "sandbox.json"), JSON.stringify(sandbox));
  for (const page of ["/docs/quickstart", "/docs/fiat"]) {
    const [keys = ""] = await blocksOf(page, "bash");
    const show = Object.keys(CREDENTIALS).map((name) => `echo "$${name}"`);
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", [keys, ...show].join("\n")], { cwd: folder });
    expect(stdout.trimEnd().split("\n"), page).toEqual([sandbox.base_url, ...Object.values(CREDENTIALS).slice(1)]);
  }
});

/** Pastes a request as a page shows it. */
async function paste(shown: string, env: Record<string, string> = {}): Promise<{ path: string; result: Record<string, unknown> }> {
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", shown], { env: { ...process.env, ...CREDENTIALS, ...env } });
  const result: Record<string, unknown> = JSON.parse(stdout);
  expect(result, stdout).not.toHaveProperty("detail");
  return { path: new URL(/https?:[^\s"]+/.exec(shown)?.[0] ?? "").pathname, result };
}

/** Sends the shown request, and waits for its success. Returns the first answer. */
async function completed(shown: string): Promise<Record<string, unknown>> {
  const { path, result } = await paste(shown);
  const end = await until(
    async () => JSON.parse((await asPartner.call("GET", `${path.replace(/\/member$/, "")}/${result.id}`)).text),
    (now) => now.status === "completed" || now.status === "failed",
    PATIENCE_MS,
  );
  expect(end.status, JSON.stringify(end)).toBe("completed");
  return result;
}

/** Everything on the page but its two programs and what packs the SDKs. */
const EXAMPLES = /^## (?!A withdrawal|A top-up)/;

test("fiat in and out works as its page shows it: the member, each source, each destination, and the payer's instructions", async () => {
  const shown = (await blocksOf("/docs/fiat", "bash", EXAMPLES)).filter((text) => text.startsWith("curl"));
  const requests = shown.filter((text) => text.includes("--data-raw"));
  const questions = shown.filter((text) => !text.includes("--data-raw"));
  const payments = (await blocksOf("/docs/fiat", "json")).map((text) => JSON.parse(text)).filter((each) => "instructions" in each);
  const [member = "", ...others] = requests;
  const made = await paste(member);
  await until(
    async () => read(getMemberOperation, await asPartner.call("GET", `/partners/members/${made.result.external_user_id}`)),
    ({ safe_status }) => safe_status === "deployed",
    PATIENCE_MS,
  );
  const isTopup = (text: string) => text.includes("topup-fiat");
  // The member's top-up completes before something is withdrawn.
  const collected = await Promise.all(others.filter(isTopup).map(completed));
  const paidOut = await Promise.all(others.filter((text) => !isTopup(text)).map(completed));
  const orders = [...collected, ...paidOut];
  const nameless = (value: unknown) => JSON.stringify(value).replace(/tu_\w+/g, "tu_…");
  expect(orders.flatMap(({ payment }) => (payment === undefined ? [] : [nameless(payment)]))).toEqual(payments.map(nameless));
  expect([orders.length, questions.length]).toEqual([5, 5]);
  const ids = { WITHDRAWAL_ID: String(paidOut[0]?.id), TOPUP_ID: String(collected[0]?.id) };
  for (const question of questions) await paste(question, ids);

  // The same with the SDKs: the same references and the same bodies are the same orders.
  for (const [language, ending] of [
    ["ts", "mts"],
    ["python", "py"],
    ["go", "go"],
    ["php", "php"],
  ] as const) {
    const program = PROGRAMS.find((each) => each.ending === ending);
    if (program === undefined) throw new Error(`nothing runs ${ending}`);
    const text = asProgram(language, (await blocksOf("/docs/fiat", language, EXAMPLES)).join("\n"));
    const output = await printedBy(program, `examples.${ending}`, text);
    const completedIds = [...output.matchAll(/^(\S+) completed$/gm)].map(([, id]) => id);
    expect(completedIds.sort(), language).toEqual(orders.map(({ id }) => id).sort());
    // What is null is not printed in Go and PHP.
    expect(output.match(/^completed(?: | null| None)?$/gm)?.length, language).toBe(2);
    expect(output, language).toMatch(/^user-1001 deployed\n0x[0-9a-fA-F]{40} deployed$/m);
  }
});

const ENDINGS = { ts: "mts", python: "py", go: "go", php: "php" };

/** A page's lines, in what the language puts around them. */
function asProgram(language: "ts" | "python" | "go" | "php", text: string): string {
  if (language === "php") return `<?php\n${text}`;
  if (language !== "go") return text;
  const imports = ["context", "fmt", "log", "os", "settlement.example/go/settlement"].map((each) => `\t"${each}"`);
  return `package main\n\nimport (\n${imports.join("\n")}\n)\n\nfunc main() {\n${text}\n}\n`;
}

/** What the first program of a section prints in each language. `name`: the beginning of its references, which are new for each. */
async function printedInEach(page: string, section: RegExp, name: string): Promise<{ language: string; output: string }[]> {
  return await Promise.all(
    (["ts", "python", "go", "php"] as const).map(async (language) => {
      const [text = ""] = await blocksOf(page, language, section);
      const program = PROGRAMS.find(({ ending }) => ending === ENDINGS[language]);
      if (program === undefined) throw new Error(`nothing runs ${language}`);
      const lines = text.replaceAll(name, `${language}-${Date.now()}-${name}`);
      return { language, output: await printedBy(program, `${name}.${program.ending}`, asProgram(language, lines)) };
    }),
  );
}

test("the overview's lines pay a settlement in each language", async () => {
  for (const { language, output } of await printedInEach("/docs", /^## SDKs/, "order-1001")) expect(output, language).toBe("executed");
});

test("the program of batches confirms the exact total and pays its items in each language", async () => {
  for (const { language, output } of await printedInEach("/docs/batches", /^## In a program/, "salar")) {
    expect(output, language).toMatch(/^completed\b/);
    expect(output, language).toMatch(/executed\W*2\b|\b2 executed/i);
  }
});

test("reading without a server prints every event once, in each language", async () => {
  const { tx_id } = await quote();
  const ran = await Promise.all(
    (["ts", "python", "go", "php"] as const).map(async (language) => {
      const [text = ""] = (await blocksOf("/docs/follow", language, /^## Read without/)).slice(-1);
      const program = PROGRAMS.find(({ ending }) => ending === ENDINGS[language]);
      if (program === undefined) throw new Error(`nothing runs ${language}`);
      const own = join(folder, `reading-${language}`);
      return { language, output: await readingUntil(program, asProgram(language, text), own, `${tx_id} 1\n`) };
    }),
  );
  for (const { language, output } of ran) {
    const lines = output.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => line === `settlement.created ${tx_id} 1`).length, language).toBe(1);
    expect(new Set(lines).size, language).toBe(lines.length);
  }
});

/** Runs a program without an end until it prints that text. Its cursor is in the folder. */
async function readingUntil(program: (typeof PROGRAMS)[number], text: string, home: string, shown: string): Promise<string> {
  mkdirSync(home);
  for (const name of readdirSync(folder).filter((each) => /^(?:settlement-sdk|go\.mod|node_modules)/.test(each)))
    cpSync(join(folder, name), join(home, name), { recursive: true });
  const file = `reading.${program.ending}`;
  writeFileSync(join(home, file), text);
  const env = { ...process.env, ...CREDENTIALS, FORCE_COLOR: "0", PYTHONUNBUFFERED: "1", PYTHONPATH: join(folder, "site") };
  const command = program.runtime === "node" ? process.execPath : program.runtime;
  // A group of its own: `go run` starts another program.
  const child = spawn(command, [...program.args, file], { cwd: home, env, detached: true });
  let output = "";
  child.stdout.on("data", (part) => {
    output += part;
  });
  child.stderr.on("data", (part) => {
    output += part;
  });
  try {
    await expect.poll(() => output, { timeout: 2 * PATIENCE_MS }).toContain(shown);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }
  return output;
}
