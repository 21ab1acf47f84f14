import { inColumns } from "#contract/go-literal.ts";
import type { Operation } from "#contract/operation.ts";
import type { Site } from "../_parts/site.ts";
import { question, request } from "./samples.ts";

/** One call in every language, from one source. */

/**
 * `sdk`: the SDKs' name of the call, as in TypeScript (`members.waitForSafe`). `named`: the variable of its answer. `shows`: the printed
 * fields; omitted, all of them. `nullable`: those of them that may be null, and are there in this answer (true) or not (false).
 */
type Named = {
  id: string;
  title: string;
  sdk: string;
  named: string;
  shows?: readonly string[];
  nullable?: Readonly<Record<string, boolean>>;
};

/** A call with a body. `types`: the names of the body and of the objects in it, as Go and PHP have them. */
export type Creation = Named & {
  operation: Pick<Operation, "id" | "method" | "path">;
  body: (site: Site) => object;
  types: Readonly<Record<string, string>>;
};

/** A call that only reads. `of`: the earlier variable that has its id, and the field. */
export type Question = Named & { path: string; of?: { named: string; field: string } };

export const LANGUAGES = ["cURL", "TypeScript", "Python", "Go", "PHP"] as const;

type Trans = { language: string; text: string };

/** In the order of {@link LANGUAGES}. */
export function inLanguages(site: Site, call: Creation | Question): Trans[] {
  const curl = "path" in call ? question(site, call.path) : request(site, call.operation, call.body(site));
  const body = "path" in call ? null : call.body(site);
  return [
    { language: "bash", text: curl },
    { language: "ts", text: typescript(call, body) },
    { language: "python", text: python(call, body) },
    { language: "go", text: go(call, body) },
    { language: "php", text: php(call, body) },
  ];
}

function typescript(call: Creation | Question, body: object | null): string {
  const { sdk, named, shows } = call;
  const id = "of" in call && call.of ? `${call.of.named}.${call.of.field}` : "";
  // Property names need no quotes.
  const given = body === null ? id : JSON.stringify(body, null, 2).replace(/^(\s*)"(\w+)":/gm, "$1$2:");
  const printed = shows?.map((field) => `${named}.${field}`).join(", ") ?? named;
  return `const ${named} = await client.${sdk}(${given});\nconsole.log(${printed});`;
}

function python(call: Creation | Question, body: object | null): string {
  const { sdk, shows } = call;
  const named = snake(call.named);
  const id = "of" in call && call.of ? `${snake(call.of.named)}["${call.of.field}"]` : "";
  const given = body === null ? id : `\n    ${JSON.stringify(body, null, 4).replaceAll("\n", "\n    ")}\n`;
  const printed = shows?.map((field) => `${named}["${field}"]`).join(", ") ?? named;
  return `${named} = client.${snake(sdk)}(${given})\nprint(${printed})`;
}

function go(call: Creation | Question, body: object | null): string {
  const { sdk, named, shows, nullable = {} } = call;
  const waits = /waitFor/.test(sdk) ? ["settlement.Waiting{}"] : [];
  const id = "of" in call && call.of ? [`${call.of.named}.${goName(call.of.field)}`] : [];
  const given = ["ctx", ...id, ...(body !== null && "types" in call ? [goObject(body, call.types, "body", "")] : []), ...waits];
  const name = sdk.split(".").map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}`);
  const lines = [`${named}, err := client.${name.join(".")}(${given.join(", ")})`, "if err != nil {", "\tlog.Fatal(err)", "}"];
  if (shows === undefined) return [...lines, `fmt.Printf("%+v\\n", ${named})`].join("\n");
  const printed = shows.filter((field) => nullable[field] !== false);
  const absent = shows.filter((field) => nullable[field] === false).map((field) => `${named}.${goName(field)}`);
  const values = printed.map((field) => `${nullable[field] ? "*" : ""}${named}.${goName(field)}`);
  const asked = absent.flatMap((field) => [`if ${field} != nil {`, `\tfmt.Println(*${field})`, "}"]);
  return [...lines, `fmt.Println(${values.join(", ")})`, ...asked].join("\n");
}

/** As gofmt writes it: the values of successive lines are in one column. */
function goObject(value: object, types: Readonly<Record<string, string>>, name: string, indent: string): string {
  const members = Object.entries(value).map(([key, each]) => {
    const isObject = typeof each === "object" && each !== null;
    return { key: `${goName(key)}:`, text: isObject ? goObject(each, types, key, `${indent}\t`) : JSON.stringify(each) };
  });
  return `settlement.${types[name]}{\n${inColumns(members, `${indent}\t`).join("\n")}\n${indent}}`;
}

const GO_WORDS: Readonly<Record<string, string>> = { id: "ID", url: "URL" };

function goName(field: string): string {
  return field
    .split("_")
    .map((word) => GO_WORDS[word] ?? `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("");
}

function php(call: Creation | Question, body: object | null): string {
  const { sdk, shows } = call;
  const variable = `$${snake(call.named)}`;
  const id = "of" in call && call.of ? `$${snake(call.of.named)}->${call.of.field}` : "";
  const given = body !== null && "types" in call ? phpObject(body, call.types, "body", "") : id;
  const printed = shows?.map((field) => `${variable}->${field}`).join(" ");
  const print = printed === undefined ? `print_r(${variable});` : `echo "${printed}\\n";`;
  return `${variable} = $client->${sdk.replace(".", "->")}(${given});\n${print}`;
}

function phpObject(value: object, types: Readonly<Record<string, string>>, name: string, indent: string): string {
  const members = Object.entries(value).map(([key, each]) => {
    const isObject = typeof each === "object" && each !== null;
    const text = isObject ? phpObject(each, types, key, `${indent}    `) : typeof each === "string" ? `'${each}'` : String(each);
    return `${indent}    ${key}: ${text},`;
  });
  return `new Types\\${types[name]}(\n${members.join("\n")}\n${indent})`;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The client that the SDK calls use; cURL requests need only the key. */
export const THE_CLIENT = {
  typescript: `import { SettlementClient } from "settlement-sdk";

const { SETTLEMENT_URL = "", API_KEY = "", API_SECRET = "" } = process.env;
const client = new SettlementClient({ baseUrl: SETTLEMENT_URL, apiKey: API_KEY, apiSecret: API_SECRET });`,
  python: `import os

from settlement_sdk import SettlementClient

client = SettlementClient(os.environ["SETTLEMENT_URL"], os.environ["API_KEY"], os.environ["API_SECRET"])`,
} as const;

export const GO_CLIENT = `ctx := context.Background()
client, err := settlement.New(settlement.Options{
	BaseURL: os.Getenv("SETTLEMENT_URL"), APIKey: os.Getenv("API_KEY"), APISecret: os.Getenv("API_SECRET"),
})
if err != nil {
	log.Fatal(err)
}`;

export const PHP_CLIENT = `use SettlementSdk\\SettlementClient;
use SettlementSdk\\Types;

require glob(__DIR__ . '/settlement-sdk-php-*/autoload.php')[0];
$client = new SettlementClient(getenv('SETTLEMENT_URL'), getenv('API_KEY'), getenv('API_SECRET'));`;

/** The client of every SDK. */
export const ALL_CLIENTS = [
  { name: "TypeScript", language: "ts", text: THE_CLIENT.typescript },
  { name: "Python", language: "python", text: THE_CLIENT.python },
  { name: "Go", language: "go", text: GO_CLIENT },
  { name: "PHP", language: "php", text: PHP_CLIENT },
] as const;
