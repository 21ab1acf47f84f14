import { Drawn } from "./drawn.tsx";
import type { SignatureWords } from "./words.ts";

export type Components = { timestamp: string; method: string; path: string; query: string; body: string };
export type Lengths = Record<keyof Components, number> & { signingString: number };

const NAMES = ["timestamp", "method", "path", "query", "body"] as const;

type Props = {
  components: Components;
  /** In bytes, as they were on the wire. */
  lengths: Lengths;
  bodySha256: string;
  signingStringSha256: string;
  bodyIsUtf8?: boolean;
  says: SignatureWords;
};

/** The five components in their order, with what is invisible in them drawn, their lengths in bytes, and the hashes. */
export function ComponentsTable({ components, lengths, bodySha256, signingStringSha256, bodyIsUtf8 = true, says }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="sig-scroll" aria-label={says.components} tabIndex={0}>
      <table className="sig-table">
        <caption className="sig-hidden">{says.caption}</caption>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{says.component}</th>
            <th scope="col">{says.asRead}</th>
            <th scope="col">{says.bytes}</th>
          </tr>
        </thead>
        <tbody>
          {NAMES.map((name, index) => (
            <tr key={name}>
              <td>{index + 1}</td>
              <th scope="row" translate="no">
                {name}
              </th>
              <td className="sig-value">
                {components[name] === "" ? <span className="sig-none">{says.empty}</span> : <Drawn text={components[name]} says={says} />}
                {name === "body" && !bodyIsUtf8 && <p className="sig-none">{says.notUtf8}</p>}
              </td>
              <td>{lengths[name]}</td>
            </tr>
          ))}
          <tr>
            <td />
            <th scope="row">{says.ofBody}</th>
            <td className="sig-value" translate="no">
              {bodySha256}
            </td>
            <td>{lengths.body}</td>
          </tr>
          <tr>
            <td />
            <th scope="row">{says.ofAll}</th>
            <td className="sig-value" translate="no">
              {signingStringSha256}
            </td>
            <td>{lengths.signingString}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
