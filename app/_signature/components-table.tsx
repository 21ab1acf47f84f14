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
  t: SignatureWords;
};

/** The five components in order, with visible symbols for invisible characters, their lengths in bytes, and the hashes. */
export function ComponentsTable({ components, lengths, bodySha256, signingStringSha256, bodyIsUtf8 = true, t }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="sig-scroll" aria-label={t.components} tabIndex={0}>
      <table className="sig-table">
        <caption className="sr-only">{t.caption}</caption>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{t.component}</th>
            <th scope="col">{t.asRead}</th>
            <th scope="col">{t.bytes}</th>
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
                {components[name] === "" ? <span className="sig-none">{t.empty}</span> : <Drawn text={components[name]} t={t} />}
                {name === "body" && !bodyIsUtf8 && <p className="sig-none">{t.notUtf8}</p>}
              </td>
              <td>{lengths[name]}</td>
            </tr>
          ))}
          <tr>
            <td />
            <th scope="row">{t.ofBody}</th>
            <td className="sig-value" translate="no">
              {bodySha256}
            </td>
            <td>{lengths.body}</td>
          </tr>
          <tr>
            <td />
            <th scope="row">{t.ofAll}</th>
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
