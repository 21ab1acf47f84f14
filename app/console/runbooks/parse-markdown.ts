/** The subset of Markdown in `docs/runbooks`, as data: headings, paragraphs, lists, tables, code. */

export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "emphasis"; parts: Inline[] }
  | { kind: "link"; href: string; parts: Inline[] };

export type Block =
  | { kind: "heading"; level: number; parts: Inline[] }
  | { kind: "paragraph"; parts: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const HEADING = /^(#{1,4}) +(.*)$/;
const FENCE = /^```/;
const ITEM = /^(?:[-*]|\d+\.) +/;
const ROW = /^\|/;
const STARTS = [HEADING, FENCE, ITEM, ROW];

/** Never throws: anything unknown is a paragraph. */
export function parseMarkdown(text: string): Block[] {
  return blocksOf(text.replaceAll("\r\n", "\n").split("\n"));
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.trim() === "") {
      at += 1;
      continue;
    }
    const { block, next } = blockAt(lines, at, line);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

type Read = { block: Block; next: number };

function blockAt(lines: readonly string[], at: number, line: string): Read {
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const [, marks = "", title = ""] = heading;
    return { block: { kind: "heading", level: marks.length, parts: inlineOf(title) }, next: at + 1 };
  }
  if (FENCE.test(line)) return codeAt(lines, at);
  if (ITEM.test(line)) return listAt(lines, at, line);
  if (ROW.test(line)) return tableAt(lines, at);
  const end = endOf(lines, at + 1, (each) => each.trim() !== "" && !STARTS.some((start) => start.test(each)));
  return { block: { kind: "paragraph", parts: inlineOf(joined(lines.slice(at, end))) }, next: end };
}

function endOf(lines: readonly string[], from: number, goesOn: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && goesOn(lines[end] ?? "")) end += 1;
  return end;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(" ");
}

function codeAt(lines: readonly string[], at: number): Read {
  const end = endOf(lines, at + 1, (line) => !FENCE.test(line));
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

/** A list item continues while its lines are indented further than its marker. */
function listAt(lines: readonly string[], at: number, first: string): Read {
  const ordered = /^\d/.test(first);
  const items: Block[][] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? "";
    const mark = ITEM.exec(line)?.[0];
    if (mark === undefined || /^\d/.test(line) !== ordered) break;
    const end = endOf(lines, next + 1, (each) => each.trim() === "" || /^\s/.test(each));
    const inside = lines.slice(next + 1, end);
    const indent = Math.min(...inside.filter((each) => each.trim() !== "").map((each) => each.length - each.trimStart().length));
    items.push(blocksOf([line.slice(mark.length), ...inside.map((each) => each.slice(Math.min(indent, each.length)))]));
    next = end;
  }
  return { block: { kind: "list", ordered, items }, next };
}

function tableAt(lines: readonly string[], at: number): Read {
  const end = endOf(lines, at, (line) => ROW.test(line));
  const [head = [], , ...rows] = lines.slice(at, end).map(cellsOf);
  return { block: { kind: "table", head, rows }, next: end };
}

/** A bar that is escaped or within code does not separate cells. */
function cellsOf(line: string): Inline[][] {
  const cells = line.trim().match(/(?:\\.|`[^`]*`|[^|\\`])+/g) ?? [];
  return cells.map((cell) => inlineOf(cell.trim().replaceAll("\\|", "|")));
}

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)/;

function inlineOf(text: string): Inline[] {
  const found = INLINE.exec(text);
  if (found === null) return text === "" ? [] : [{ kind: "text", text }];
  const [whole, code, strong, emphasis, label, href] = found;
  return [
    ...inlineOf(text.slice(0, found.index)),
    partOf({ code, strong, emphasis, label, href }),
    ...inlineOf(text.slice(found.index + whole.length)),
  ];
}

type Found = Record<"code" | "strong" | "emphasis" | "label" | "href", string | undefined>;

function partOf({ code, strong, emphasis, label = "", href = "" }: Found): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", parts: inlineOf(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", parts: inlineOf(emphasis) };
  return { kind: "link", href, parts: inlineOf(label) };
}
