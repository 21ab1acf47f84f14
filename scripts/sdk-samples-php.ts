/** A sample as a call of the SDK for PHP. The classes of its values are those of the SDK's own files. */
import { METHODS } from "./sdk-methods.ts";
import type { Given } from "./sdk-samples-given.ts";

/** `sources`: the SDK's classes by their path, such as `Types/SettlementCreate.php`. */
export function phpSample({ id, method, target, params, query, body }: Given, sources: ReadonlyMap<string, string>): string {
  const named = METHODS[id];
  if (named === undefined) {
    const more = [...(query === null ? [] : [`query: ${written(query, "")}`]), ...(body === null ? [] : [`body: ${written(body, "")}`])];
    const call = `$client->call(${[`'${method}'`, `'${target}'`, ...more].join(", ")})`;
    return `${headOf(call)}$answer = ${call};\nprint_r($answer);`;
  }
  const [group, own] = named.as.includes(".") ? named.as.split(".") : [null, named.as];
  const name = camel(own ?? "");
  const file = `Operations/${group === null ? "ClientOperations" : pascal(group ?? "")}.php`;
  const signature = new RegExp(`public function ${name}\\(([^)]*)\\)`).exec(sources.get(file) ?? "")?.[1];
  if (signature === undefined) throw new Error(`the SDK for PHP has no ${named.as} (${file})`);
  const bodyType = /Types\\(\w+) \$body/.exec(signature)?.[1];
  const isAny = /mixed \$body/.test(signature);
  const types = new Map([...signature.matchAll(/([?\\|\w]+) \$(\w+)/g)].map(([, type = "", param = ""]) => [param, type]));
  const given = [
    ...params.map((value) => quoted(value)),
    ...(bodyType === undefined ? [] : [object(body ?? {}, bodyType, sources, "")]),
    ...(isAny ? [written(body ?? {}, "")] : []),
    ...Object.entries(query ?? {}).map(
      ([key, value]) => `${key}: ${/DateTime/.test(types.get(key) ?? "") ? `new DateTimeImmutable(${quoted(value)})` : quoted(value)}`,
    ),
    ...(named.isIntended ? ["intent: 'order-1001'"] : []),
  ];
  const call = `$client->${group === null ? "" : `${group}->`}${name}(${given.join(", ")})`;
  const head = headOf(call);
  if (named.kind === "none") return `${head}${call};`;
  if (typeof named.kind === "object") return `${head}foreach (${call} as $item) {\n    print_r($item);\n}`;
  return `${head}$answer = ${call};\nprint_r($answer);`;
}

/** The classes that a call names. */
function headOf(call: string): string {
  const made = [...new Set([...call.matchAll(/new ([A-Z]\w+)\(/g)].map(([, type = ""]) => `Types\\${type}`))];
  const names = [
    ...made.filter((type) => !type.endsWith("DateTimeImmutable")),
    ...(call.includes("Decimal::of") ? ["Decimal"] : []),
  ].sort();
  return names.length === 0 ? "" : `${names.map((name) => `use SettlementSdk\\${name};`).join("\n")}\n\n`;
}

function object(value: object, type: string, sources: ReadonlyMap<string, string>, indent: string): string {
  const source = sources.get(`Types/${type}.php`) ?? "";
  const members = Object.entries(value).map(([key, each]) => {
    const [, fieldType = ""] = new RegExp(`public ([?\\\\|\\w]+) \\$${key}\\b`).exec(source) ?? [];
    if (fieldType === "") throw new Error(`the SDK for PHP: ${type} has no ${key}`);
    const list = new RegExp(`@var list<(\\w+)>[^*]*(?:\\*/)\\s*public \\??array \\$${key}\\b`).exec(source)?.[1];
    return `\n${indent}    ${key}: ${literalOf(each, list ?? fieldType.replace("?", ""), sources, `${indent}    `)},`;
  });
  return members.length === 0 ? `new ${type}()` : `new ${type}(${members.join("")}\n${indent})`;
}

function literalOf(value: unknown, type: string, sources: ReadonlyMap<string, string>, indent: string): string {
  const isClass = sources.has(`Types/${type}.php`);
  if (Array.isArray(value)) {
    return `[${value.map((each) => `\n${indent}    ${isClass ? object(Object(each), type, sources, `${indent}    `) : written(each, indent)},`).join("")}\n${indent}]`;
  }
  if (isClass && typeof value === "object" && value !== null) return object(value, type, sources, indent);
  if (type.includes("Decimal")) return quoted(String(value));
  if (type.includes("DateTime")) return `new DateTimeImmutable(${quoted(value)})`;
  return written(value, indent);
}

/** A value without a class. */
function written(value: unknown, indent: string): string {
  if (typeof value === "number" && !Number.isInteger(value)) return `Decimal::of('${value}')`;
  if (Array.isArray(value)) return `[${value.map((each) => written(each, indent)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : quoted(value);
  const members = Object.entries(value).map(([key, each]) => `\n${indent}    '${key}' => ${written(each, `${indent}    `)},`);
  return members.length === 0 ? "(object) []" : `[${members.join("")}\n${indent}]`;
}

function quoted(value: unknown): string {
  return typeof value === "string" ? `'${value.replace(/[\\']/g, "\\$&")}'` : String(value);
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`_${name}`);
