import type { Operation } from "#contract/operation.ts";
import type { Site } from "../_parts/site.ts";
import { question, request } from "./samples.ts";

/** One call in every language, from one source. */

/**
 * `sdk`: the SDKs' name of the call, as in TypeScript (`members.waitForSafe`). `named`: the variable of its answer. `shows`: the printed
 * fields; omitted, all of them.
 */
type Named = { id: string; title: string; sdk: string; named: string; shows?: readonly string[] };

/** A call with a body. */
export type Creation = Named & { operation: Pick<Operation, "id" | "method" | "path">; body: (site: Site) => object };

/** A call that only reads. `of`: the earlier variable that has its id, and the field. */
export type Question = Named & { path: string; of?: { named: string; field: string } };

export const LANGUAGES = ["cURL", "TypeScript", "Python"] as const;

type Trans = { language: string; text: string };

/** In the order of {@link LANGUAGES}. */
export function inLanguages(site: Site, call: Creation | Question): Trans[] {
  const curl = "path" in call ? question(site, call.path) : request(site, call.operation, call.body(site));
  const body = "path" in call ? null : call.body(site);
  return [
    { language: "bash", text: curl },
    { language: "ts", text: typescript(call, body) },
    { language: "python", text: python(call, body) },
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

const GO_CLIENT = `ctx := context.Background()
client, err := settlement.New(settlement.Options{
	BaseURL: os.Getenv("SETTLEMENT_URL"), APIKey: os.Getenv("API_KEY"), APISecret: os.Getenv("API_SECRET"),
})
if err != nil {
	log.Fatal(err)
}`;

const PHP_CLIENT = `use SettlementSdk\\SettlementClient;

require glob(__DIR__ . '/settlement-sdk-php-*/autoload.php')[0];
$client = new SettlementClient(getenv('SETTLEMENT_URL'), getenv('API_KEY'), getenv('API_SECRET'));`;

/** The client of every SDK. */
export const ALL_CLIENTS = [
  { name: "TypeScript", language: "ts", text: THE_CLIENT.typescript },
  { name: "Python", language: "python", text: THE_CLIENT.python },
  { name: "Go", language: "go", text: GO_CLIENT },
  { name: "PHP", language: "php", text: PHP_CLIENT },
] as const;
