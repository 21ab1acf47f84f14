import { Fragment, type ReactNode } from "react";
import { RUNBOOKS } from "#domain/runbook.ts";
import { type Block, type Inline, parseMarkdown } from "./parse-markdown.ts";

/** A runbook as a page. Links lead to other runbooks; other files of the repository are only named. */
export function Markdown({ text }: { text: string }) {
  return parseMarkdown(text).map((block, place) => <Shown key={keyOf(place)} block={block} />);
}

/** The text never changes, so positions can serve as keys. */
const keyOf = (place: number) => `at ${place}`;

function Shown({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading": {
      const Heading = block.level === 1 ? "h1" : block.level === 2 ? "h2" : "h3";
      return <Heading>{inline(block.parts)}</Heading>;
    }
    case "paragraph":
      return <p>{inline(block.parts)}</p>;
    case "code":
      return <pre translate="no">{block.text}</pre>;
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      const items = block.items.map((item, place) => (
        <li key={keyOf(place)}>
          {item.map((part, inner) => (
            <Shown key={keyOf(inner)} block={part} />
          ))}
        </li>
      ));
      return <List>{items}</List>;
    }
    default:
      return <Table {...block} />;
  }
}

function Table({ head, rows }: Extract<Block, { kind: "table" }>) {
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, place) => (
            <th key={keyOf(place)} scope="col">
              {inline(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={keyOf(place)}>
            {row.map((cell, inner) => (
              <td key={keyOf(inner)}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inline(parts: readonly Inline[]): ReactNode {
  return parts.map((part, place) => <Fragment key={keyOf(place)}>{shownInline(part)}</Fragment>);
}

function shownInline(part: Inline): ReactNode {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code translate="no">{part.text}</code>;
    case "strong":
      return <strong>{inline(part.parts)}</strong>;
    case "emphasis":
      return <em>{inline(part.parts)}</em>;
    default: {
      const href = addressOf(part.href);
      return href === null ? inline(part.parts) : <a href={href}>{inline(part.parts)}</a>;
    }
  }
}

function addressOf(href: string): string | null {
  if (/^https:\/\//.test(href)) return href;
  const page = /^([\w-]+)\.md(?:#.*)?$/.exec(href)?.[1];
  return RUNBOOKS.some((runbook) => runbook === page) ? `/console/runbooks/${page}` : null;
}
