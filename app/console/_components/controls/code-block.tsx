import { useTranslations } from "../../_words/words.ts";
import { CopyButton } from "./copy-button.tsx";
import { CODE_BLOCK } from "./words.ts";

/** Exact text with a copy button. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const t = useTranslations(CODE_BLOCK);
  return (
    <div className="code-block">
      <div className="code-bar">
        <span>{label}</span>
        <CopyButton text={text} label={t.copy(label)} />
      </div>
      <CodeScroll text={text} label={label} />
    </div>
  );
}

/** Lines are not wrapped; the block scrolls. */
export function CodeScroll({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="code-scroll" aria-label={label} tabIndex={0}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  );
}
