import { identitiesOf, ListFault, readCountedLines, readWholeSdn } from "./address-list.ts";

/** A list of names of people and companies that must not be paid, from a file: OFAC's own SDN.XML, or plain text. */
export type NameList = {
  /** Each name's words, by its first word in order: what a payee's name is compared with. */
  byFirst: ReadonlyMap<string, readonly (readonly string[])[]>;
  size: number;
  publishedOn: string | null;
};

/** @throws ListFault for what is empty, cut off or no such list */
export function readNameList(text: string): NameList {
  const { names, publishedOn } = /^\s*</.test(text.replace(/^\uFEFF/, "")) ? readSdnNames(text) : readPlainNames(text);
  const byFirst = new Map<string, (readonly string[])[]>();
  for (const name of names) {
    const words = wordsOf(name);
    const [first] = words;
    if (first === undefined) continue;
    const same = byFirst.get(first) ?? [];
    same.push(words);
    byFirst.set(first, same);
  }
  if (byFirst.size === 0) throw new ListFault("has no names");
  return { byFirst, size: names.length, publishedOn };
}

/**
 * Whether the list names the payee: every word of a listed name is among the payee's, in any order. Letters are compared without case and
 * accents. A listed name of one word must be the payee's whole name.
 */
export function isNamed({ byFirst }: NameList, payee: string): boolean {
  const words = new Set(wordsOf(payee));
  return [...words].some((word) =>
    byFirst.get(word)?.some((listed) => listed.every((each) => words.has(each)) && (listed.length > 1 || words.size === 1)),
  );
}

/** The different words of a name, in one order. */
function wordsOf(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu) ?? [])].sort();
}

/** People and companies with their other names, but for those that OFAC itself calls weak. Ships and aircraft are paid nothing. */
function readSdnNames(text: string): { names: string[]; publishedOn: string | null } {
  const { publishedOn } = readWholeSdn(text);
  const names = identitiesOf(text).flatMap((entry) => {
    if (!/<sdnType>\s*(?:Individual|Entity)\s*<\/sdnType>/.test(entry)) return [];
    const others = [...entry.matchAll(/<aka>(.*?)<\/aka>/gs)].map(([, aka = ""]) => aka);
    const own = nameIn(entry.replaceAll(/<(\w+List)>.*?<\/\1>/gs, ""));
    if (own === "") throw new ListFault("has an entry without a name");
    return [own, ...others.filter((aka) => !/<category>\s*weak\s*<\/category>/i.test(aka)).map(nameIn)];
  });
  return { names, publishedOn };
}

function nameIn(xml: string): string {
  const part = (tag: string) => new RegExp(`<${tag}>\\s*([^<]*?)\\s*</${tag}>`).exec(xml)?.[1] ?? "";
  return unescapeXml(`${part("firstName")} ${part("lastName")}`).trim();
}

function unescapeXml(text: string): string {
  return text.replaceAll("&apos;", "'").replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** One name per line, and the number of them: `# names: 123`. */
function readPlainNames(text: string): { names: string[]; publishedOn: string | null } {
  const { lines, publishedOn } = readCountedLines(text, "names");
  for (const { line, number } of lines) if (wordsOf(line).length === 0) throw new ListFault(`has no name in line ${number}`);
  return { names: lines.map(({ line }) => line), publishedOn };
}
