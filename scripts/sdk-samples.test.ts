import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import samples from "#app/docs/_content/operation-samples.json" with { type: "json" };
import { METHODS } from "./sdk-methods.ts";
import { ROOT } from "./suites.ts";

/**
 * The samples of the reference are right: TypeScript's compiler and Go's accept each of them against the SDK, and Python and PHP make each
 * call, as far as the network. Nothing listens there, so an answer is missing; a wrong name or argument ends otherwise.
 */
const run = promisify(execFile);
const ALL = Object.entries(samples);
const NOWHERE = "http://127.0.0.1:9";
const KEYS = { apiKey: `key_test_${"k".repeat(32)}`, apiSecret: `sec_test_${"s".repeat(32)}` };
const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by);

describe("the samples of the reference", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "settlement-samples-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are there for every operation with a method, and differ", () => {
    expect(Object.keys(METHODS).filter((id) => !(id in samples))).toEqual([]);
    for (const language of ["typescript", "python", "go", "php"] as const) {
      const texts = ALL.map(([, each]) => each[language]);
      // Two operations have another form with the same effect, whose sample they show.
      expect(new Set(texts).size, language).toBe(texts.length - 2);
    }
  });

  it("compile in TypeScript, strictly", async () => {
    const programs = ALL.map(([id, { typescript }]) => `export async function ${id}() {\n${indented(typescript, "  ")}\n}`);
    const client = `import { SettlementClient } from "${join(ROOT, "sdk/typescript/src/index.ts")}";\ndeclare const client: SettlementClient;`;
    writeFileSync(join(folder, "samples.ts"), [client, ...programs].join("\n\n"));
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--allowImportingTsExtensions",
      "--skipLibCheck",
    ];
    const targets = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable", "--types", "node"];
    const roots = ["--typeRoots", join(ROOT, "node_modules/@types")];
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const said = await run(process.execPath, [compiler, ...options, ...targets, ...roots, join(folder, "samples.ts")]).catch(
      (error) => error,
    );
    expect(said.stdout).toBe("");
  }, 120_000);

  it("compile in Go, vet finds nothing, and gofmt changes nothing", async () => {
    const home = join(folder, "go");
    mkdirSync(home);
    const functions = ALL.map(([id, { go }]) => `func ${id}() {\n${indented(go, "\t")}\n}`);
    const imports = ["context", "fmt", "log", "net/url", "settlement.example/go/settlement", "time"].map((each) => `\t"${each}"`);
    const uses = "var ctx = context.Background()\nvar client *settlement.Client\nvar _ url.Values\nvar _ time.Time";
    const main = `func main() {\n${ALL.map(([id]) => `\t${id}()`).join("\n")}\n}`;
    writeFileSync(
      join(home, "main.go"),
      `${["package main", `import (\n${imports.join("\n")}\n)`, uses, ...functions, main].join("\n\n")}\n`,
    );
    writeFileSync(join(home, "go.mod"), "module samples\n\ngo 1.19\n");
    const env = { ...process.env, GOPROXY: "off", GOFLAGS: "-mod=mod" };
    const name = "settlement.example/go/settlement";
    await run("go", ["mod", "edit", "-require", `${name}@v0.0.0`, "-replace", `${name}=${join(ROOT, "sdk/go")}`], { cwd: home, env });
    const said = await run("go", ["vet", "."], { cwd: home, env }).catch((error) => error);
    expect(said.stderr).toBe("");
    expect((await run("gofmt", ["-d", join(home, "main.go")])).stdout).toBe("");
  }, 240_000);

  it("reach the network in Python", async () => {
    const functions = ALL.map(([id, { python }]) => `def ${id}(client):\n${indented(python, "    ")}`);
    const program = `import sys
from settlement_sdk import SettlementClient, Unanswered

${functions.join("\n\n")}

client = SettlementClient("${NOWHERE}", "${KEYS.apiKey}", "${KEYS.apiSecret}", attempts=1)
for sample in [${ALL.map(([id]) => id).join(", ")}]:
    try:
        sample(client)
        print(sample.__name__, "got an answer")
    except Unanswered:
        pass
    except Exception as error:
        print(sample.__name__, repr(error))
`;
    writeFileSync(join(folder, "samples.py"), program);
    const env = { ...process.env, PYTHONPATH: join(ROOT, "sdk/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
    expect((await run("python3", [join(folder, "samples.py")], { env })).stdout).toBe("");
  }, 120_000);

  it("reach the network in PHP", async () => {
    const head = /^(?:use [^;]+;\n)+\n/;
    const uses = new Set(ALL.flatMap(([, { php }]) => head.exec(php)?.[0].trim().split("\n") ?? []));
    const functions = ALL.map(
      ([id, { php }]) => `$samples['${id}'] = static function ($client): void {\n${indented(php.replace(head, ""), "    ")}\n};`,
    );
    const program = `<?php
declare(strict_types=1);

${[...uses].join("\n")}

require '${join(ROOT, "sdk/php/autoload.php")}';
${functions.join("\n")}
$client = new SettlementSdk\\SettlementClient('${NOWHERE}', '${KEYS.apiKey}', '${KEYS.apiSecret}', attempts: 1);
foreach ($samples as $id => $sample) {
    try {
        $sample($client);
        echo "$id got an answer\n";
    } catch (SettlementSdk\\Unanswered) {
    } catch (Throwable $error) {
        echo "$id: {$error->getMessage()}\n";
    }
}
`;
    writeFileSync(join(folder, "samples.php"), program);
    expect((await run("php", ["-d", "error_reporting=-1", "-d", "display_errors=1", join(folder, "samples.php")])).stdout).toBe("");
  }, 120_000);
});
