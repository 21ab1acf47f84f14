/** The SDK for PHP, as far as OpenAPI documents say what it is: its classes, and a method for each operation. */
import { FIRST, type Use } from "./openapi-go-types.ts";
import { docOf, orNull, type PhpType, PhpTypes, phpFile } from "./openapi-php-types.ts";
import type { Route } from "./openapi-types.ts";
import { type Method, methodsOf, pascal } from "./sdk-model.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

/** Groups with methods that are written manually, in a trait of the same name. */
const WITH_TRAIT = ["settlements", "batches", "members", "withdrawals", "topups", "events"];

/** The files below `src`, by their paths. */
export function phpOf(documents: readonly Json[], routes: readonly Route[]): Map<string, string> {
  const schemas = new Map<string, Json>(documents.flatMap(({ components }) => Object.entries(components.schemas)));
  const types = new PhpTypes(schemas);
  for (const name of FIRST) types.typeOf({ $ref: `#/components/schemas/${name}` }, name, "answer");
  const methods = methodsOf(documents, routes).map((method) => ({ group: method.group, lines: linesOf(method, types) }));
  const callbacks = documents.flatMap(({ webhooks = {} }) => Object.entries<Json>(webhooks));
  for (const [event, { post }] of callbacks) {
    const { schema } = post.requestBody.content["application/json"];
    types.typeOf({ ...schema, description: `The body of ${event}. ${post.summary}` }, pascal(event), "answer");
  }
  const groups = [...new Set(methods.flatMap(({ group }) => (group === null ? [] : [group])))];
  const of = (group: string | null) => methods.filter((method) => method.group === group).flatMap(({ lines }) => ["", ...lines]);
  const operations = groups.map((group): [string, string] => [
    `Operations/${pascal(group)}.php`,
    phpFile("Operations", ["Call", "Read", "Sender", "Types"], groupOf(group, of(group))),
  ]);
  const declared = [...types.written].map(([name, lines]): [string, string] => [
    `Types/${name}.php`,
    phpFile("Types", usesOf(lines), lines),
  ]);
  return new Map([
    ...declared,
    ...operations,
    ["Operations/ClientOperations.php", phpFile("Operations", ["Call", "Read", "Sender", "Types"], clientOf(groups, of(null)))],
    ["Operations/CallbackBodies.php", phpFile("Operations", ["Types"], bodies(callbacks.map(([event]) => event)))],
  ]);
}

const usesOf = (lines: readonly string[]) =>
  ["Decimal", "Read", "Remove"].filter((name) => lines.some((line) => new RegExp(`(?<![\\w\\\\$])${name}(?:::|[ |])`).test(line)));

function groupOf(group: string, methods: readonly string[]): string[] {
  const name = pascal(group);
  return [
    ...docOf(`The operations of ${group.replaceAll("_", " ")}.`),
    `final class ${name}`,
    "{",
    ...(WITH_TRAIT.includes(group) ? [`    use \\SettlementSdk\\Following\\${name};`, ""] : []),
    "    public function __construct(private readonly Sender $sender)",
    "    {",
    "    }",
    ...methods,
    "}",
  ];
}

function clientOf(groups: readonly string[], methods: readonly string[]): string[] {
  return [
    ...docOf("The groups of operations, and the operations that are in none."),
    "trait ClientOperations",
    "{",
    ...groups.map((group) => `    public readonly ${pascal(group)} $${group};`),
    "    private readonly Sender $sender;",
    "",
    "    private function connect(Sender $sender): void",
    "    {",
    "        $this->sender = $sender;",
    ...groups.map((group) => `        $this->${group} = new ${pascal(group)}($sender);`),
    "    }",
    ...methods,
    "}",
  ];
}

type Parameter = { name: string; php: string; isRequired: boolean; doc: string };

/** A method, with its comment. */
function linesOf(method: Method, types: PhpTypes): string[] {
  const { route, name, says, isIntended } = method;
  const body = bodyOf(method, types);
  const query = method.query.map(({ name: key, schema, description, required }): Parameter => {
    const { php } = types.typeOf(schema, pascal(key), "query");
    return { name: key, php, isRequired: Boolean(required), doc: description };
  });
  const given = [
    ...method.params.map((param) => `string $${param}`),
    ...(body === null || body === "" ? [] : [`${body} $body`]),
    ...(isIntended ? ["string $intent"] : []),
    ...query.filter(({ isRequired }) => isRequired).map((one) => `${one.php} $${one.name}`),
    ...query.filter(({ isRequired }) => !isRequired).map((one) => `${orNull(one.php)} $${one.name} = null`),
  ];
  const call = [
    `'${route.surface}', '${route.method}', '${route.path}'`,
    ...(method.params.length === 0 ? [] : [`params: [${method.params.map((param) => `$${param}`).join(", ")}]`]),
    ...(query.length === 0 ? [] : [`query: [${query.map((one) => `'${one.name}' => $${one.name}`).join(", ")}]`]),
    ...(body === null ? [] : [body === "" ? "body: new \\stdClass()" : "body: $body"]),
    ...(isIntended ? ["intent: $intent"] : []),
  ];
  const { php, doc, text } = answerOf(method, types, `new Call(${call.join(", ")})`);
  const tags = [
    ...query.map((one) => `@param ${one.isRequired ? one.php : orNull(one.php)} $${one.name} ${one.doc}`),
    ...(doc === php ? [] : [`@return ${doc}`]),
  ];
  const about = says.charAt(0).toUpperCase() + says.slice(1);
  return [
    ...docOf(about, tags, "    "),
    `    public function ${camel(name)}(${given.join(", ")}): ${php}`,
    "    {",
    `        ${text}`,
    "    }",
  ];
}

const camel = (name: string) => pascal(name).replace(/^[A-Z]/, (letter) => letter.toLowerCase());

/** Null: none. Empty: an empty object. */
function bodyOf({ body, bodyName, name, route }: Method, types: PhpTypes): string | null {
  if (body === null) return null;
  if (!body.$ref && !body.type) return "mixed";
  if (body.properties && Object.keys(body.properties).length === 0) return "";
  const use: Use = ["PATCH", "PUT"].includes(route.method) ? "change" : "request";
  return inTypes(types.typeOf(body, bodyName ?? pascal(name), use)).php;
}

/** As operations name it. */
function inTypes(type: PhpType): PhpType {
  const named = (text: string) => text.replace(/(?<![\\\w])[A-Z]\w*/g, (name) => `Types\\${name}`);
  return {
    ...type,
    php: named(type.php),
    doc: named(type.doc),
    read: (x) => type.read(x).replace(/(?<![\\\w$])[A-Z]\w*(?=::)/g, (name) => (name === "Read" ? name : `Types\\${name}`)),
  };
}

function answerOf(method: Method, types: PhpTypes, call: string): { php: string; doc: string; text: string } {
  const { kind, result, resultName, name } = method;
  if (result === null) return { php: "void", doc: "void", text: `$this->sender->send(${call});` };
  const whole = types.schemaOf(result);
  if (typeof kind === "object") {
    const items = kind.walk === "header" ? whole.items : whole.properties[kind.walk].items;
    const { php } = inTypes(types.typeOf(items, pascal(name), "answer"));
    const doc = `\\Generator<int, ${php}>`;
    return { php: "\\Generator", doc, text: `return $this->sender->walk(${call}, '${kind.walk}', ${php}::from(...));` };
  }
  const members = `$this->sender->members(${call})`;
  if (kind === "data") {
    const list = inTypes(types.typeOf(whole.properties.data, pascal(name), "answer"));
    return { php: "array", doc: list.doc, text: `return ${list.read(`Read::must(${members}, 'data')`)};` };
  }
  const type = inTypes(types.typeOf(result, resultName ?? pascal(name), "answer"));
  return { php: type.php, doc: type.doc, text: `return ${type.read(members)};` };
}

function bodies(events: readonly string[]): string[] {
  return [
    ...docOf("The bodies of callbacks, by their events."),
    "final class CallbackBodies",
    "{",
    ...docOf(
      "An event that this version does not know keeps its members.",
      ["@param array<string, mixed> $data", "@return object|array<string, mixed>"],
      "    ",
    ),
    "    public static function read(string $event, array $data): object|array",
    "    {",
    "        return match ($event) {",
    ...events.map((event) => `            '${event}' => Types\\${pascal(event)}::from($data),`),
    "            default => $data,",
    "        };",
    "    }",
    "}",
  ];
}
