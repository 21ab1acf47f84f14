import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

/** A heading that can be linked to. */
export function Section({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <a className="anchor" href={`#${id}`}>
          {title}
        </a>
      </h2>
      {children}
    </section>
  );
}

/** Text to copy. Long lines scroll in their own box. `language`: its name in Markdown. */
export function Code({ label, text, id, language = "" }: { label: string; text: string; id?: string; language?: string }) {
  return (
    <figure className="code">
      <figcaption>{label}</figcaption>
      <CopyButton what={label} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} id={id}>
        <code data-language={language}>{text}</code>
      </pre>
    </figure>
  );
}

/** A table with a heading for each column; the first cell of a row names the row. */
export function Table({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly ReactNode[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <div className="table" tabIndex={0}>
      <table className={columns.length > 3 ? "wide" : undefined}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
            <tr key={index}>
              {cells.map((cell, place) =>
                place === 0 ? (
                  <th key={columns[place]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={columns[place]}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** An important note. */
export function Note({ children }: { children: ReactNode }) {
  return <div className="note">{children}</div>;
}

/** Links to error codes, with commas between. */
export function Codes({ codes }: { codes: readonly string[] }) {
  return codes.map((code, index) => (
    <span key={code}>
      {index > 0 ? ", " : ""}
      <a href={`/docs/errors/${code}`}>
        <code>{code}</code>
      </a>
    </span>
  ));
}
