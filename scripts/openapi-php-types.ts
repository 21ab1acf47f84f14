/** PHP's classes of the schemas of OpenAPI documents: how each is written, read from an answer, and sent in a request. */
import { isRelated, type Use } from "./openapi-go-types.ts";
import { pascal } from "./sdk-model.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

/**
 * `doc`: what PHP's own types cannot say. `read`, `write`: the value of an expression from an answer, and for a request; both return the
 * expression itself where nothing changes.
 */
export type PhpType = {
  php: string;
  doc: string;
  isNullable: boolean;
  read: (expression: string) => string;
  write: (expression: string) => string;
};

const same = (expression: string) => expression;
const SCALARS: Readonly<Record<string, string>> = { integer: "int", boolean: "bool", string: "string" };
const HEAD = "// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.";

/** A file of PHP in one of the SDK's namespaces. */
export function phpFile(space: string, uses: readonly string[], lines: readonly string[]): string {
  const imports = uses.length === 0 ? [] : [...uses.map((name) => `use SettlementSdk\\${name};`), ""];
  return ["<?php", "", HEAD, "", "declare(strict_types=1);", "", `namespace SettlementSdk\\${space};`, "", ...imports, ...lines, ""].join(
    "\n",
  );
}

/** Text as a comment of PHP, with tags below it. */
export function docOf(text: string, tags: readonly string[] = [], indent = ""): string[] {
  const clean = text.replaceAll("*/", "* /").replaceAll("\n", " ");
  if (tags.length === 0) return [`${indent}/** ${clean} */`];
  return [`${indent}/**`, `${indent} * ${clean}`, `${indent} *`, ...tags.map((tag) => `${indent} * ${tag}`), `${indent} */`];
}

/** Writes each class once. */
export class PhpTypes {
  readonly written = new Map<string, string[]>();
  readonly #schemas: ReadonlyMap<string, Json>;
  readonly #classes: { name: string; content: string }[] = [];

  constructor(schemas: ReadonlyMap<string, Json>) {
    this.#schemas = schemas;
  }

  /** The schema that another refers to. */
  schemaOf(schema: Json): Json {
    return schema.$ref ? this.#schemas.get(schema.$ref.split("/").at(-1)) : schema;
  }

  /** The type of a schema; `name`: its name, if it needs one of its own. */
  typeOf(schema: Json, name: string, use: Use): PhpType {
    if (schema.$ref) return this.typeOf(this.schemaOf(schema), pascal(schema.$ref.split("/").at(-1)), use);
    const nothing = (schema.anyOf ?? []).length + (Array.isArray(schema.type) ? schema.type.length : 0);
    if (nothing > 0) return this.#union(schema, name, use);
    if (schema.type === "array") return this.#list(schema, name, use);
    if (schema.type === "object" && schema.properties) return this.#object(this.#class(name, schema, use));
    if (schema.type === "object") return this.#map(schema, name, use);
    if (schema.type === "number")
      return use === "answer"
        ? plain("Decimal", { read: (x) => `Decimal::of(${x})` })
        : plain("Decimal|string|int", { write: (x) => `Decimal::of(${x})` });
    if (schema.format === "date-time")
      return use === "answer"
        ? plain("\\DateTimeImmutable", { read: (x) => `new \\DateTimeImmutable(${x})` })
        : plain("\\DateTimeInterface");
    return plain(SCALARS[schema.type] ?? "mixed");
  }

  #union(schema: Json, name: string, use: Use): PhpType {
    const all: Json[] = schema.anyOf ?? schema.type.map((type: string) => ({ ...schema, type }));
    const types = all.filter(({ type }) => type !== "null").map((one) => this.typeOf(one, name, use));
    const [first = plain("mixed")] = types;
    const isOne = types.every(({ php }) => php === first.php);
    const php = isOne ? first.php : types.map((type) => type.php).join("|");
    return { ...first, php, doc: isOne ? first.doc : php, isNullable: types.length < all.length };
  }

  #list(schema: Json, name: string, use: Use): PhpType {
    const item = this.typeOf(schema.items ?? {}, name.replace(/(?<=[a-z])s$/, ""), use);
    return { ...each(item), php: "array", doc: `list<${item.doc}>`, isNullable: false };
  }

  #map(schema: Json, name: string, use: Use): PhpType {
    const value = this.typeOf(Object(schema.additionalProperties), name, use);
    const { read, write } = each(value);
    return { php: "array", doc: `array<string, ${value.doc}>`, isNullable: false, read, write: (x) => `(object) ${write(x)}` };
  }

  #object(name: string): PhpType {
    return { ...plain(name), read: (x) => `${name}::from(${x})` };
  }

  #class(name: string, schema: Json, use: Use): string {
    const { properties, required = [], description } = schema;
    const content = `${use} ${JSON.stringify({ properties, required })}`;
    const known = this.#classes.find((one) => one.name === name || (one.content === content && isRelated(one.name, name)));
    if (known !== undefined) return known.name;
    this.#classes.push({ name, content });
    const members = Object.entries<Json>(properties).map(([key, member]) => {
      const values = member.enum ?? member.anyOf?.find((one: Json) => one.enum)?.enum ?? [];
      const about = values.length === 0 ? "" : `. One of ${values.join(", ")}; a later version of the service may have more`;
      const text = `${member.description ?? `It is ${key}`}${about}.`;
      return { key, text, type: this.typeOf(member, `${name}${pascal(key)}`, use), isRequired: required.includes(key) };
    });
    // PHP wants those with a default last.
    const sorted = [...members.filter(({ isRequired }) => isRequired), ...members.filter(({ isRequired }) => !isRequired)];
    const about = `${description ?? (use === "answer" ? `What the service answers as ${name}` : `What a request says as ${name}`)}.`;
    const kind = use === "answer" ? "" : " implements \\JsonSerializable";
    this.written.set(name, [
      ...docOf(about),
      `final readonly class ${name}${kind}`,
      "{",
      "    public function __construct(",
      ...sorted.flatMap((member) => parameterOf(member, use)),
      "    ) {",
      "    }",
      "",
      ...(use === "answer" ? readerOf(sorted) : writerOf(sorted)),
      "}",
    ]);
    return name;
  }
}

function plain(php: string, { read = same, write = same }: { read?: typeof same; write?: typeof same } = {}): PhpType {
  return { php, doc: php, isNullable: false, read, write };
}

function each(item: PhpType): Pick<PhpType, "read" | "write"> {
  const over = (change: (x: string) => string) => (x: string) =>
    change("$each") === "$each" ? x : `array_map(static fn ($each) => ${change("$each")}, ${x})`;
  return { read: over(item.read), write: over(item.write) };
}

type Member = { key: string; text: string; type: PhpType; isRequired: boolean };

/** The type as PHP writes it, with null where nothing may be there. */
export function orNull(php: string): string {
  if (php === "mixed") return php;
  return php.includes("|") ? `${php}|null` : `?${php}`;
}

function parameterOf({ key, text, type, isRequired }: Member, use: Use): string[] {
  const mayRemove = use === "change" && type.isNullable;
  const php = mayRemove ? `${type.php}|Remove|null` : isRequired && !type.isNullable ? type.php : orNull(type.php);
  const tags = type.doc === type.php ? [] : [`@var ${php.startsWith("?") ? `${type.doc}|null` : type.doc}`];
  return [...docOf(text, tags, "        "), `        public ${php} $${key}${isRequired ? "" : " = null"},`];
}

function readerOf(members: readonly Member[]): string[] {
  const lines = members.map(({ key, type, isRequired }) => {
    if (isRequired && !type.isNullable) return `            ${key}: ${type.read(`Read::must($data, '${key}')`)},`;
    const isPlain = type.read("$value") === "$value";
    return `            ${key}: ${isPlain ? `$data['${key}'] ?? null` : `Read::maybe($data, '${key}', static fn ($value) => ${type.read("$value")})`},`;
  });
  return [
    ...docOf("Reads it, for example from the data of an event.", ["@param array<string, mixed> $data"], "    "),
    "    public static function from(array $data): self",
    "    {",
    "        return new self(",
    ...lines,
    "        );",
    "    }",
  ];
}

function writerOf(members: readonly Member[]): string[] {
  const lines = members.map(({ key, type, isRequired }) => {
    const value = `$this->${key}`;
    const written = type.write(value);
    const isSafe = isRequired || written === value;
    return `            '${key}' => ${isSafe ? written : `${value} === null ? null : ${written}`},`;
  });
  return [
    ...docOf("What is sent: what is null is left out.", ["@return array<string, mixed>"], "    "),
    "    public function jsonSerialize(): array",
    "    {",
    "        return array_filter([",
    ...lines,
    "        ], static fn ($value) => $value !== null);",
    "    }",
  ];
}
