import { useDeferredValue, useId, useState } from "react";
import { compareTexts, type TextPart } from "#domain/text-difference.ts";
import { Drawn } from "./drawn.tsx";
import type { SignatureWords } from "./words.ts";

const ESCAPES: Record<string, string> = { "\\n": "\n", "\\r": "\r", "\\t": "\t" };

/** The given signing string compared with the right one, character by character. It never leaves the page. */
export function Comparison({ wanted, t }: { wanted: string; t: SignatureWords }) {
  const id = useId();
  const [text, setText] = useState("");
  const [escaped, setEscaped] = useState(false);
  const given = useDeferredValue(escaped ? text.replace(/\\[nrt]/g, (each) => ESCAPES[each] ?? each) : text);
  return (
    <div className="sig-comparison">
      <label className="sig-label" htmlFor={id}>
        {t.yours}
      </label>
      <textarea
        id={id}
        className="sig-input"
        rows={6}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
        aria-describedby={`${id}-note`}
      />
      <p className="sig-note" id={`${id}-note`}>
        {t.yoursNote}
      </p>
      <label className="sig-check">
        <input type="checkbox" checked={escaped} onChange={({ target }) => setEscaped(target.checked)} />
        <span>{t.escapes}</span>
      </label>
      {given !== "" && <Difference parts={compareTexts(wanted, given)} t={t} />}
    </div>
  );
}

function Difference({ parts, t }: { parts: readonly TextPart[]; t: SignatureWords }) {
  const changes = parts.filter(({ kind }) => kind !== "same").length;
  let place = 0;
  return (
    <div>
      <p role="status" className="sig-outcome" data-outcome={changes === 0 ? "passed" : "failed"}>
        {changes === 0 ? t.same : t.differ(changes)}
      </p>
      {changes > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <section className="sig-difference" aria-label={t.differences} tabIndex={0}>
          {parts.map(({ kind, text }) => {
            place += 1;
            if (kind === "same") return <Drawn key={place} text={text} t={t} />;
            const Mark = kind === "missing" ? "ins" : "del";
            return (
              <Mark key={place} className="sig-change">
                <span className="sr-only">{t[kind]}</span>
                <Drawn text={text} t={t} />
              </Mark>
            );
          })}
        </section>
      )}
    </div>
  );
}
