import { isValidElement, type ReactNode } from "react";

/** The content of a page after rendering its components: elements of HTML, and text. */
export type Tree = string | Element;
export type Element = { tag: string; id: string | null; href: string | null; language: string | null; children: Tree[] };

type Props = Readonly<Record<string, unknown>> & { children?: ReactNode };
type Component = (props: Props) => ReactNode | Promise<ReactNode>;

const CLIENT_REFERENCE = Symbol.for("react.client.reference");

/**
 * Calls the page's own components, as the server does when it renders them, so the Markdown cannot differ from the page. A component that
 * only works in the browser (a form, a button) is skipped, but its children are read.
 */
export async function treeOf(node: ReactNode | Promise<ReactNode>): Promise<Tree[]> {
  const resolved = await node;
  if (resolved === null || resolved === undefined || typeof resolved === "boolean") return [];
  if (typeof resolved === "string" || typeof resolved === "number" || typeof resolved === "bigint") return [String(resolved)];
  if (isValidElement<Props>(resolved)) return await treeOfElement(resolved.type, resolved.props);
  if (Symbol.iterator in resolved) return (await Promise.all([...resolved].map(treeOf))).flat();
  return [];
}

async function treeOfElement(type: unknown, props: Props): Promise<Tree[]> {
  if (isComponent(type)) return await treeOf(type(props));
  const children = await treeOf(props.children);
  if (typeof type !== "string") return children;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return [{ tag: type, id: text(props.id), href: text(props.href), language: text(props["data-language"]), children }];
}

/** Client components are only references here. */
function isComponent(type: unknown): type is Component {
  return typeof type === "function" && !("$$typeof" in type && type.$$typeof === CLIENT_REFERENCE);
}

/** The first element of that tag, however deep. */
export function findElement(trees: readonly Tree[], tag: string): Element | null {
  for (const tree of trees) {
    if (typeof tree === "string") continue;
    const found = tree.tag === tag ? tree : findElement(tree.children, tag);
    if (found !== null) return found;
  }
  return null;
}

/** All of its text. */
export function textOf(tree: Tree): string {
  return typeof tree === "string" ? tree : tree.children.map(textOf).join("");
}
