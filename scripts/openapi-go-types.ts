/** Go's structs of the schemas of OpenAPI documents, each with what it contains. */
import { pascal } from "./sdk-model.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member.
type Json = any;

/** What the others take their statuses from. */
export const FIRST = [
  "Settlement",
  "Batch",
  "Callback",
  "EventDestination",
  "WithdrawRequestResponse",
  "TopupRequestResponse",
  "Transaction",
];

/** Where a type is used: in an answer, a request, a query, or a change, which leaves alone what is nil. */
export type Use = "answer" | "request" | "query" | "change";

/** How a member that is no text is used: only of a text does Go know that it is left out. */
const OTHER = { answer: "answer", request: "answer", query: "query", change: "change" } as const;
const INITIALS: Readonly<Record<string, string>> = { Id: "ID", Url: "URL", Api: "API", Ips: "IPs", Jwks: "JWKS" };
const WIDTH = 118;

/** `callback_url` as Go names it: `CallbackURL`. */
export function goName(text: string): string {
  return pascal(text).replace(/[A-Z][a-z]*/g, (word) => INITIALS[word] ?? word);
}

/** Text as a comment of Go. */
export function comment(text: string, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.replaceAll("\n", " ").split(" ").filter(Boolean)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) lines.push(`${indent}// ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

type Type = { text: string; isNullable: boolean };
type Enumeration = { field: string; values: string; owner: string; name: string };

/** Writes each type once, in the order in which they are needed. */
export class GoTypes {
  readonly written = new Map<string, string[]>();
  readonly #schemas: ReadonlyMap<string, Json>;
  readonly #enumerations: Enumeration[] = [];
  readonly #structs: { name: string; content: string }[] = [];

  constructor(schemas: ReadonlyMap<string, Json>) {
    this.#schemas = schemas;
  }

  /** The schema that another refers to. */
  schemaOf(schema: Json): Json {
    return this.#schemas.get(schema.$ref.split("/").at(-1));
  }

  /** The type of a schema; `name`: its name, if it needs one of its own. */
  typeOf(schema: Json, name: string, use: Use): string {
    return this.#type(schema, name, use, "").text;
  }

  #type(schema: Json, name: string, use: Use, field: string): Type {
    if (schema.$ref) return this.#reference(schema.$ref.split("/").at(-1), use);
    if (schema.anyOf) return this.#union(schema, name, use, field);
    if (Array.isArray(schema.type)) {
      const types = schema.type.filter((type: string) => type !== "null");
      return { ...this.#type({ ...schema, type: types[0] }, name, use, field), isNullable: types.length < schema.type.length };
    }
    const plain = (text: string) => ({ text, isNullable: false });
    if (schema.enum) return plain(this.#enumeration(schema, name, field));
    switch (schema.type) {
      case "array":
        return plain(`[]${this.#type(schema.items ?? {}, name.replace(/(?<=[a-z])s$/, ""), use, field).text}`);
      case "object":
        if (!schema.properties) return plain(this.#map(schema, name, use));
        return plain(this.#struct(name, schema, use));
      case "string":
        return plain(schema.format === "date-time" ? "time.Time" : "string");
      default:
        return plain({ integer: "int64", number: "Decimal", boolean: "bool" }[schema.type as string] ?? "json.RawMessage");
    }
  }

  #reference(name: string, use: Use): Type {
    const schema = this.#schemas.get(name);
    if (schema.type === "string" && !schema.enum) return { text: "string", isNullable: false };
    return this.#type(schema, goName(name), use, "");
  }

  #union(schema: Json, name: string, use: Use, field: string): Type {
    const others = schema.anyOf.filter((one: Json) => one.type !== "null");
    const types = new Set<string>(others.map((one: Json) => this.#type(one, name, use, field).text));
    return { text: types.size === 1 ? [...types].join() : "json.RawMessage", isNullable: others.length < schema.anyOf.length };
  }

  /** What is in there is not known: it is kept as it came. */
  #map(schema: Json, name: string, use: Use): string {
    const values = this.#type(Object(schema.additionalProperties), name, use, "").text;
    return values === "json.RawMessage" ? values : `map[string]${values}`;
  }

  /** Objects of one kind share the type of a field, such as the status of a batch with items and without. */
  #enumeration({ enum: values, description }: Json, name: string, field: string): string {
    const known = this.#enumerations.find((one) => one.field === field && one.values === String(values) && isRelated(one.owner, name));
    if (known !== undefined) return known.name;
    this.#enumerations.push({ field, values: String(values), owner: name, name });
    const names = values.map((value: string) => `${name}${goName(value)}`);
    const longest = Math.max(...names.map((each: string) => each.length));
    const lines = names.map((each: string, index: number) => `\t${each.padEnd(longest)} ${name} = ${JSON.stringify(values[index])}`);
    const about = `${name}: ${description ?? "one of the values below"}. A later version of the service may have more values.`;
    this.written.set(name, [...comment(about), `type ${name} string`, "", `// Values of ${name}.`, "const (", ...lines, ")"]);
    return name;
  }

  /** The name of the struct, or of the one of a related type that it is the same as. */
  #struct(name: string, schema: Json, use: Use): string {
    const { properties, required = [], description } = schema;
    const content = `${use} ${JSON.stringify({ properties, required })}`;
    const known = this.#structs.find((one) => one.name === name || (one.content === content && isRelated(one.name, name)));
    if (known !== undefined) return known.name;
    this.#structs.push({ name, content });
    // Kept before its members, so that it comes first.
    this.written.set(name, []);
    const members = Object.entries<Json>(properties).flatMap(([key, schema]) => {
      const type = this.#type(schema, `${name}${goName(key)}`, use, key);
      const about = schema.description ?? `${goName(key)} is ${key}`;
      const isText = ["string", "Decimal"].includes(type.text) || this.#enumerations.some((one) => one.name === type.text);
      return [...comment(about, "\t"), `\t${goName(key)} ${memberOf(type, key, required.includes(key), isText ? use : OTHER[use])}`];
    });
    const about = description === undefined ? `${name} has these members.` : `${name}: ${description}.`;
    this.written.set(name, [...comment(about), `type ${name} struct {`, ...members, "}"]);
    return name;
  }
}

const firstWord = (name: string) => /^[A-Z]+[a-z]*/.exec(name)?.[0];

/** Whether two types are of one kind of object. */
export function isRelated(one: string, other: string): boolean {
  const [short = "", long = ""] = [firstWord(one), firstWord(other)];
  return short === long || other.includes(short);
}

/** Type and tag of a member: a pointer where null, or nothing, means something. */
function memberOf({ text, isNullable }: Type, key: string, isRequired: boolean, use: Use): string {
  if (use === "query") return text;
  const holdsNothing = /^(?:\[\]|map|json\.RawMessage)/.test(text);
  const pointer = holdsNothing ? text : `*${text}`;
  if (isRequired) return `${isNullable ? pointer : text} \`json:"${key}"\``;
  const tag = `\`json:"${key},omitempty"\``;
  if (use === "change" && isNullable) return `*Nullable[${text}] ${tag}`;
  if (use === "request") return `${text} ${tag}`;
  return `${pointer} ${tag}`;
}
