import { type Element, findElement, type Tree, textOf } from "./tree.ts";

/** Maps links: returns the target for one on the page. Null: only the text remains. */
type Links = (href: string) => string | null;

const TEXT_TAGS = new Set(["a", "abbr", "b", "br", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup"]);
/** Interactive elements, without content to read. */
const CONTROLS = new Set(["button", "form", "input", "label", "nav", "select", "textarea"]);
const HEADINGS: Record<string, string> = { h1: "#", h2: "##", h3: "###", h4: "####" };

/** A page as Markdown: blocks separated by empty lines. */
export function writeMarkdown(trees: readonly Tree[], links: Links): string {
  return `${blocks(trees, links).join("\n\n")}\n`;
}

function blocks(trees: readonly Tree[], links: Links): string[] {
  const written: string[] = [];
  let line: Tree[] = [];
  const endLine = () => {
    const text = inline(line, links).trim();
    if (text !== "") written.push(text);
    line = [];
  };
  for (const tree of trees) {
    if (typeof tree === "string" || TEXT_TAGS.has(tree.tag)) {
      line.push(tree);
      continue;
    }
    endLine();
    written.push(...block(tree, links));
  }
  endLine();
  return written;
}

/** A target of links keeps its anchor. */
function block(element: Element, links: Links): string[] {
  if (CONTROLS.has(element.tag)) return [];
  const written = content(element, links);
  return element.id === null ? written : [anchor(element.id), ...written];
}

function anchor(id: string): string {
  return `<a id="${id}"></a>`;
}

function content(element: Element, links: Links): string[] {
  const { tag, children } = element;
  const heading = HEADINGS[tag];
  // A heading's link points to itself.
  if (heading !== undefined) return [`${heading} ${inline(children, () => null).trim()}`];
  if (tag === "ul" || tag === "ol") return [list(element, links)];
  if (tag === "pre") return [fence(element)];
  if (tag === "figcaption" || tag === "dt" || tag === "summary") return [`**${inline(children, links).trim()}**`];
  if (tag === "table") return [table(element, links)];
  return blocks(children, links);
}

function list({ tag, children }: Element, links: Links): string {
  const items = children.filter((child) => typeof child !== "string" && child.tag === "li");
  return items
    .map((item, index) => {
      const text = typeof item === "string" ? item : blocks(item.children, links).join("\n\n");
      const mark = tag === "ol" ? `${index + 1}.` : "-";
      return `${mark} ${text.replaceAll(/\n(?!\n)/g, `\n${" ".repeat(mark.length + 1)}`)}`;
    })
    .join("\n");
}

function fence(element: Element): string {
  const language = findElement([element], "code")?.language ?? "";
  return `\`\`\`${language}\n${textOf(element).replace(/\n+$/, "")}\n\`\`\``;
}

function table(element: Element, links: Links): string {
  const rows = rowsOf(element).map(({ id, cells }) => {
    const texts = cells.map((cell) => inline(cell.children, links).trim().replaceAll("|", "\\|"));
    return id === null ? texts : texts.map((text, index) => (index === 0 ? `${anchor(id)}${text}` : text));
  });
  const [head = [], ...others] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...others.map(line)].join("\n");
}

function rowsOf(element: Element): { id: string | null; cells: Element[] }[] {
  const inside = element.children.filter((child) => typeof child !== "string");
  if (element.tag === "tr") return [{ id: element.id, cells: inside }];
  return inside.flatMap(rowsOf);
}

function inline(trees: readonly Tree[], links: Links): string {
  return trees.map((tree) => (typeof tree === "string" ? tree.replace(/\s+/g, " ") : inlineElement(tree, links))).join("");
}

function inlineElement(element: Element, links: Links): string {
  const { tag, href, children } = element;
  if (CONTROLS.has(tag)) return "";
  const text = inline(children, links);
  if (tag === "code") return code(textOf(element));
  if (tag === "strong" || tag === "b") return `**${text}**`;
  if (tag === "em") return `*${text}*`;
  if (tag === "sup") return `^${text}`;
  if (tag === "br") return " ";
  const target = tag === "a" && href !== null ? links(href) : null;
  return target === null ? text : `[${text}](${target})`;
}

/** Inline code, between two backticks if the text contains one. */
function code(text: string): string {
  const marks = text.includes("`") ? "``" : "`";
  return `${marks}${text}${marks}`;
}
