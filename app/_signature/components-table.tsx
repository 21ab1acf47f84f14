import { Drawn } from "./drawn.tsx";

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
};

/** The five components in their order, with what is invisible in them drawn, their lengths in bytes, and the hashes. */
export function ComponentsTable({ components, lengths, bodySha256, signingStringSha256, bodyIsUtf8 = true }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="sig-scroll" aria-label="The five components" tabIndex={0}>
      <table className="sig-table">
        <caption className="sig-hidden">The five components of the signing string</caption>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Component</th>
            <th scope="col">As it was read</th>
            <th scope="col">Bytes</th>
          </tr>
        </thead>
        <tbody>
          {NAMES.map((name, index) => (
            <tr key={name}>
              <td>{index + 1}</td>
              <th scope="row">{name}</th>
              <td className="sig-value">
                {components[name] === "" ? <span className="sig-none">empty</span> : <Drawn text={components[name]} />}
                {name === "body" && !bodyIsUtf8 && <p className="sig-none">Not UTF-8: shown with its broken bytes replaced.</p>}
              </td>
              <td>{lengths[name]}</td>
            </tr>
          ))}
          <tr>
            <td />
            <th scope="row">SHA-256 of the body</th>
            <td className="sig-value">{bodySha256}</td>
            <td>{lengths.body}</td>
          </tr>
          <tr>
            <td />
            <th scope="row">SHA-256 of all five, joined by newlines</th>
            <td className="sig-value">{signingStringSha256}</td>
            <td>{lengths.signingString}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
