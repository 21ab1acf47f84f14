import type { SignatureWords } from "./words.ts";

/** How invisible characters are displayed. */
const SIGNS: Record<string, string> = { "\n": "⏎", "\r": "␍", "\t": "→", " ": "·", "\u00a0": "⍽", "\ufeff": "⟨BOM⟩" };
const UNSEEN = /([\n\r\t \u00a0\ufeff\u0000-\u001f\u007f-\u009f\u2000-\u200f\u2028\u2029])/;
const LONGEST = 4_000;

/** Text with visible symbols for invisible characters. A line break shows its symbol and breaks the line. */
export function Drawn({ text, t }: { text: string; t: SignatureWords }) {
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const counted = new Map<string, number>();
  return (
    <>
      {shown.split(UNSEEN).map((part) => {
        const nth = (counted.get(part) ?? 0) + 1;
        counted.set(part, nth);
        const key = `${part} ${nth}`;
        if (UNSEEN.test(part)) return <Sign key={key} character={part} />;
        return (
          <span key={key} translate="no">
            {part}
          </span>
        );
      })}
      {text.length > LONGEST && <span className="sig-more">{t.more(text.length - LONGEST)}</span>}
    </>
  );
}

function Sign({ character }: { character: string }) {
  const code = character.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase();
  return (
    <>
      <span className="sig-sign" translate="no" title={`U+${code}`}>
        {SIGNS[character] ?? `⟨${code}⟩`}
      </span>
      {character === "\n" && <br />}
    </>
  );
}
