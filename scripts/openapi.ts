/**
 * Generates files from the OpenAPI documents: the SDKs' types and table of operations, and Python's async client from the sync one.
 * `--check` only compares, and names what breaks v1 against the documents of the last release (`contract/released`). `--release` stores the
 * documents as that release. `--examples FILE` adopts the examples that a run of `e2e/api/openapi-examples.spec.ts`, or of more stories,
 * has recorded there (`RECORD_EXAMPLES=FILE`); others stay.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findBreaks } from "#contract/openapi-breaks.ts";
import { OPENAPI_DOCUMENTS } from "#server/rest/openapi.ts";
import { asyncClientOf } from "./openapi-async.ts";
import { goOf } from "./openapi-go.ts";
import { phpOf } from "./openapi-php.ts";
import { pythonTypesOf } from "./openapi-python.ts";
import { routesOf, tableOf, typesOf } from "./openapi-types.ts";
import { samplesOf } from "./sdk-samples.ts";
import { ROOT } from "./suites.ts";

const ABOUT = { baseUrl: "https://api.example.com", brand: "Service" };
const EXAMPLES = "contract/openapi-examples.json";
const SAMPLES = "app/docs/_content/operation-samples.json";
const released = (file: string) => join("contract", "released", file);

type Json = { [key: string]: unknown };

/** As it is served. */
function read(file: string): Json {
  return JSON.parse(JSON.stringify(OPENAPI_DOCUMENTS[file]?.(ABOUT)));
}

const WORDS = ["example", "examples", "tags", "servers", "security", "securitySchemes", "x-callers"];

/**
 * The parts of a document that can break: not descriptions, examples, or the schemas of errors. A member's own name is not a description.
 */
function promised(value: unknown, isName = false): unknown {
  if (Array.isArray(value)) return value.map((each) => promised(each));
  if (typeof value !== "object" || value === null) return value;
  const isWord = ([key, inner]: [string, unknown]) =>
    WORDS.includes(key) || (["description", "summary"].includes(key) && typeof inner === "string");
  const isError = ([key]: [string, unknown]) => /^[45]\d\d$/.test(key);
  const kept = Object.entries(value).filter((entry) => isName || !(isWord(entry) || isError(entry)));
  return Object.fromEntries(kept.map(([key, inner]) => [key, promised(inner, !isName && key === "properties")]));
}

const SECRETS = ["access_token", "api_secret", "secret", "callback_secret", "password", "api_key"];
const LONGEST_TEXT = 2_000;

/** An example as it is shown: without secrets, addresses of one machine and what only makes it long. */
function shown(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map((each) => shown(each));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each, key)]));
  if (typeof value !== "string") return value;
  if (SECRETS.includes(name)) return "example-of-a-secret";
  const text = value
    .replace(/^http:\/\/127\.0\.0\.1:\d+\/[^"]*$/, "https://partner.example/callbacks")
    .replace(/^http:\/\/localhost:\d+/, "https://api.example.com");
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text;
}

/** By surface, by kind, by name. */
type Examples = Record<string, Record<string, Record<string, unknown>>>;

/** The newer examples, and those of the older ones that they lack: a whole operation, code or event each, so that none mixes two runs. */
function merged(newer: Examples, older: Examples): Examples {
  const names = Object.keys({ ...older, ...newer });
  const kinds = (surface: string) => Object.keys({ ...older[surface], ...newer[surface] });
  return Object.fromEntries(
    names.map((surface) => [
      surface,
      Object.fromEntries(kinds(surface).map((kind) => [kind, { ...older[surface]?.[kind], ...newer[surface]?.[kind] }])),
    ]),
  );
}

function keep(file: string, text: string): void {
  mkdirSync(dirname(join(ROOT, file)), { recursive: true });
  writeFileSync(join(ROOT, file), text);
}

/** The samples of the documentation's reference. */
function samplesText(documents: readonly Json[], sources: { go: string; php: ReadonlyMap<string, string> }): string {
  const examples = JSON.parse(readFileSync(join(ROOT, EXAMPLES), "utf8"));
  return `${JSON.stringify(samplesOf(documents, examples, sources), null, 1)}\n`;
}

const [mode, from] = process.argv.slice(2);
const files = Object.keys(OPENAPI_DOCUMENTS);
const wrong: string[] = [];

if (mode === "--examples") {
  const recorded = Object(shown(JSON.parse(readFileSync(from ?? "", "utf8"))));
  keep(EXAMPLES, `${JSON.stringify(merged(recorded, JSON.parse(readFileSync(join(ROOT, EXAMPLES), "utf8"))), null, 1)}\n`);
} else if (mode === "--release") {
  for (const file of files) keep(released(file), `${JSON.stringify(promised(read(file)), null, 1)}\n`);
} else {
  // The SDKs are for partners: the sandbox's controls are the operator's.
  const [settlement, partner] = [read("settlement.json"), read("partner.json")];
  const routes = [...routesOf(settlement, "settlement"), ...routesOf(partner, "partner")];
  const typescript = join("sdk", "typescript", "src", "generated");
  const python = join("sdk", "python", "src", "settlement_sdk");
  const [go, php] = [join("sdk", "go"), join("sdk", "php", "src")];
  const { types, methods } = goOf([settlement, partner], routes);
  const phpFiles = new Map([...phpOf([settlement, partner], routes)]);
  const targets: [string, string][] = [
    [join(typescript, "settlement.ts"), typesOf(settlement)],
    [join(typescript, "partner.ts"), typesOf(partner, { file: "./settlement.ts", document: settlement })],
    [join(typescript, "operations.ts"), tableOf(routes)],
    [join(python, "generated.py"), pythonTypesOf([settlement, partner], routes)],
    [join(go, "types.go"), types],
    [join(go, "methods.go"), methods],
    ...[...phpFiles].map(([path, text]): [string, string] => [join(php, path), text]),
    [SAMPLES, samplesText([settlement, partner], { go: `${types}\n${methods}`, php: phpFiles })],
    [join(python, "aio.py"), asyncClientOf(readFileSync(join(ROOT, python, "client.py"), "utf8"))],
  ];
  for (const [target, text] of targets) {
    const there = existsSync(join(ROOT, target)) ? readFileSync(join(ROOT, target), "utf8") : "";
    if (there === text) continue;
    if (mode === "--check") wrong.push(`${target} and what it is written from differ: run \`node scripts/openapi.ts\`.`);
    else keep(target, text);
  }
  // A class for each schema: one whose schema is gone goes too.
  for (const path of [join(php, "Types"), join(php, "Operations")].flatMap((home) =>
    readdirSync(join(ROOT, home)).map((name) => join(home, name)),
  )) {
    if (targets.some(([target]) => target === path)) continue;
    if (mode === "--check") wrong.push(`${path} has no schema or group any more: run \`node scripts/openapi.ts\`.`);
    else rmSync(join(ROOT, path));
  }
}
if (mode === "--check") {
  const accepted: Record<string, string> = JSON.parse(readFileSync(join(ROOT, "contract/released/accepted.json"), "utf8"));
  const met = new Set<string>();
  const isAccepted = (line: string) => Object.keys(accepted).some((end) => line.endsWith(end) && met.add(end));
  for (const file of files) {
    const before = JSON.parse(readFileSync(join(ROOT, released(file)), "utf8"));
    const breaks = findBreaks(before, read(file)).filter((line) => !isAccepted(line));
    wrong.push(...breaks.map((line) => `it breaks v1 (contract/released/${file}): ${line}`));
  }
  const unmet = Object.keys(accepted).filter((end) => !met.has(end));
  wrong.push(...unmet.map((end) => `contract/released/accepted.json: nothing ends with "${end}": remove it.`));
}
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join("\n")}\n`);
  process.exit(1);
}
