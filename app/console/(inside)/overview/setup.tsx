import { Circle, CircleCheck } from "lucide-react";
import { Link } from "../../_components/controls/link.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { SETUP } from "./words.ts";

type Translations = typeof SETUP;

type Step = NonNullable<Now["setup"]>[number]["step"];

const stepsOf = (t: Translations): Record<Step, { word: string; how: string; doc: string }> => ({
  key_created: { word: t.apiKey, how: t.apiKeyMore, doc: "/docs/signing" },
  first_signed_call: { word: t.firstSignedCall, how: t.firstSignedCallMore, doc: "/docs/signing" },
  first_quote: { word: t.firstQuote, how: t.firstQuoteMore, doc: "/docs/amounts" },
  first_confirmed: { word: t.firstConfirmation, how: t.firstConfirmationMore, doc: "/docs/lifecycle" },
  first_executed: { word: t.firstExecution, how: t.firstExecutionMore, doc: "/docs/lifecycle" },
  first_callback: { word: t.firstCallback, how: t.firstCallbackMore, doc: "/docs/callbacks" },
});

/** The steps to the first settlement; each is ticked automatically. */
export function Setup({ setup }: { setup: NonNullable<Now["setup"]> }) {
  const t = useTranslations(SETUP);
  const done = setup.filter((each) => each.done).length;
  return (
    <Section title={t.title} aside={<span className="muted">{t.done(done, setup.length)}</span>}>
      <ol className="setup" aria-label={t.label}>
        {setup.map(({ step, done: isDone }) => {
          const { word, how, doc } = stepsOf(t)[step];
          return (
            <li key={step} data-done={isDone || undefined}>
              <span className="setup-mark">{isDone ? <CircleCheck aria-hidden size={18} /> : <Circle aria-hidden size={18} />}</span>
              <span className="setup-word">{word}</span>
              <span className="muted">{isDone ? t.doneLabel : how}</span>
              <a href={doc}>
                {t.how}
                <span className="sr-only"> {t.linkTo(word)}</span>
              </a>
            </li>
          );
        })}
      </ol>
      <p>
        <Link href="/console/developers/go-live">{t.goLive}</Link>
      </p>
    </Section>
  );
}
