import { useDeferredValue, useId, useState } from "react";
import { compareTexts, type TextPart } from "#domain/text-difference.ts";
import { Drawn } from "./drawn.tsx";

const ESCAPES: Record<string, string> = { "\\n": "\n", "\\r": "\r", "\\t": "\t" };

/** One's own signing string against the right one, character by character. It never leaves the page. */
export function Comparison({ wanted }: { wanted: string }) {
  const id = useId();
  const [text, setText] = useState("");
  const [escaped, setEscaped] = useState(false);
  const given = useDeferredValue(escaped ? text.replace(/\\[nrt]/g, (each) => ESCAPES[each] ?? each) : text);
  return (
    <div className="sig-comparison">
      <label className="sig-label" htmlFor={id}>
        Your signing string
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
        What your code puts into the HMAC. It is compared here in the browser and sent nowhere.
      </p>
      <label className="sig-check">
        <input type="checkbox" checked={escaped} onChange={({ target }) => setEscaped(target.checked)} />
        <span>
          Read <code>\n</code>, <code>\r</code> and <code>\t</code> in it as the characters they stand for
        </span>
      </label>
      {given !== "" && <Difference parts={compareTexts(wanted, given)} />}
    </div>
  );
}

const WORDS: Record<Exclude<TextPart["kind"], "same">, string> = { missing: "missing in yours: ", extra: "only in yours: " };

function Difference({ parts }: { parts: readonly TextPart[] }) {
  const changes = parts.filter(({ kind }) => kind !== "same").length;
  let place = 0;
  return (
    <div>
      <p role="status" className="sig-outcome" data-outcome={changes === 0 ? "passed" : "failed"}>
        {changes === 0
          ? "No difference: your signing string is the one that the server read."
          : `${changes} ${changes === 1 ? "difference" : "differences"}. Underlined: missing in yours; struck through: only in yours.`}
      </p>
      {changes > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        <section className="sig-difference" aria-label="Differences" tabIndex={0}>
          {parts.map(({ kind, text }) => {
            place += 1;
            if (kind === "same") return <Drawn key={place} text={text} />;
            const Mark = kind === "missing" ? "ins" : "del";
            return (
              <Mark key={place} className="sig-change">
                <span className="sig-hidden">{WORDS[kind]}</span>
                <Drawn text={text} />
              </Mark>
            );
          })}
        </section>
      )}
    </div>
  );
}
