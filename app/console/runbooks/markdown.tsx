import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { RUNBOOKS } from "#domain/runbook.ts";

/** A runbook as a page. Links lead to other runbooks; other files of the repository are only named. */
export function Markdown({ text }: { text: string }) {
  return shown(lexer(text));
}

/** The text never changes, so positions can serve as keys. */
const keyOf = (place: number) => `at ${place}`;

function shown(tokens: readonly Token[] = []): ReactNode {
  return tokens.map((token, place) => <Fragment key={keyOf(place)}>{shownToken(token as MarkedToken)}</Fragment>);
}

function shownToken(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "space":
      return null;
    case "heading": {
      const Heading = token.depth === 1 ? "h1" : token.depth === 2 ? "h2" : "h3";
      return <Heading>{shown(token.tokens)}</Heading>;
    }
    case "paragraph":
      return <p>{shown(token.tokens)}</p>;
    case "text":
      // A list item's line has parts of its own.
      return token.tokens === undefined ? token.text : <p>{shown(token.tokens)}</p>;
    case "code":
      return <pre translate="no">{token.text}</pre>;
    case "list": {
      const List = token.ordered ? "ol" : "ul";
      return (
        <List>
          {token.items.map(({ tokens }, place) => (
            <li key={keyOf(place)}>{shown(tokens)}</li>
          ))}
        </List>
      );
    }
    case "table":
      return <Table {...token} />;
    case "codespan":
      return <code translate="no">{token.text}</code>;
    case "strong":
      return <strong>{shown(token.tokens)}</strong>;
    case "em":
      return <em>{shown(token.tokens)}</em>;
    case "link": {
      const href = addressOf(token.href);
      return href === null ? shown(token.tokens) : <a href={href}>{shown(token.tokens)}</a>;
    }
    default:
      return "text" in token ? token.text : token.raw;
  }
}

function Table({ header, rows }: Tokens.Table) {
  return (
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }, place) => (
            <th key={keyOf(place)} scope="col">
              {shown(tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => (
          <tr key={keyOf(place)}>
            {row.map(({ tokens }, inner) => (
              <td key={keyOf(inner)}>{shown(tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function addressOf(href: string): string | null {
  if (/^https:\/\//.test(href)) return href;
  const page = /^([\w-]+)\.md(?:#.*)?$/.exec(href)?.[1];
  return RUNBOOKS.some((runbook) => runbook === page) ? `/console/runbooks/${page}` : null;
}
