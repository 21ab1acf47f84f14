/** A parsed JSON text whose numbers and texts stay exactly as written. */
export type JsonTree =
  | { kind: "literal"; text: string }
  | { kind: "list"; items: readonly JsonTree[] }
  | { kind: "object"; members: readonly { key: string; value: JsonTree }[] };

/** How a JSON library lays out what it writes. */
export type JsonLayout = {
  /** The text of one level of indentation; default: all on one line. */
  indent?: string;
  /** Between items on one line. */
  comma?: string;
  colon?: string;
  sortKeys?: boolean;
  text?: (literal: string) => string;
};

const TOKEN = /[\x20\t\r\n]*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\x20\t\r\n{}[\],:"]+)/y;
/** Nobody needs deeper nesting. */
const MAX_DEPTH = 64;

/** The tree of a JSON text; null when it is malformed. Numbers keep their digits, so that formatting changes nothing else. */
export function readJsonTree(text: string): JsonTree | null {
  if (!isJson(text)) return null;
  const tokens = [...tokensOf(text)];
  let at = 0;
  const value = (depth: number): JsonTree => {
    const token = tokens[at++] ?? "";
    if (depth > MAX_DEPTH) throw new RangeError("too deep");
    if (token === "[") return { kind: "list", items: until("]", () => value(depth + 1)) };
    if (token === "{") return { kind: "object", members: until("}", () => member(depth)) };
    return { kind: "literal", text: token };
  };
  const member = (depth: number) => {
    const key = tokens[at] ?? "";
    at += 2;
    return { key, value: value(depth + 1) };
  };
  const until = <Item>(end: string, read: () => Item): Item[] => {
    const items: Item[] = [];
    while (tokens[at] !== end) {
      items.push(read());
      if (tokens[at] === ",") at += 1;
    }
    at += 1;
    return items;
  };
  try {
    return value(0);
  } catch {
    return null;
  }
}

/** Writes the tree as a library with that layout would. */
export function writeJson(tree: JsonTree, layout: JsonLayout): string {
  return write(tree, layout, "\n");
}

function write(tree: JsonTree, layout: JsonLayout, line: string): string {
  const { indent, comma = ",", colon = indent === undefined ? ":" : ": ", text = (literal: string) => literal } = layout;
  if (tree.kind === "literal") return text(tree.text);
  const deeper = line + (indent ?? "");
  const parts =
    tree.kind === "list"
      ? tree.items.map((item) => write(item, layout, deeper))
      : ordered(tree.members, layout).map(({ key, value }) => `${text(key)}${colon}${write(value, layout, deeper)}`);
  const [open, close] = tree.kind === "list" ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  return indent === undefined ? open + parts.join(comma) + close : `${open}${deeper}${parts.join(`,${deeper}`)}${line}${close}`;
}

function ordered<Member extends { key: string }>(members: readonly Member[], { sortKeys }: JsonLayout): readonly Member[] {
  return sortKeys ? members.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)) : members;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function* tokensOf(text: string): Generator<string> {
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) yield match[1] ?? "";
}
