import { Circle, CircleCheck } from "lucide-react";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { SETUP } from "./words.ts";

type Translations = typeof SETUP;

type Step = NonNullable<Now["setup"]>[number]["step"];

const stepsOf = (t: Translations): Record<Step, { word: string; how: string; doc: string }> => ({
  key_created: { word: t.apiKey, how: t.ownerCreatesOne, doc: "/docs/signing" },
  first_signed_call: { word: t.firstSignedCall, how: t.postApiV1, doc: "/docs/signing" },
  first_quote: { word: t.firstQuote, how: t.postApiV12, doc: "/docs/amounts" },
  first_confirmed: { word: t.firstConfirmation, how: t.postConfirmBefore, doc: "/docs/lifecycle" },
  first_executed: { word: t.firstExecution, how: t.followsByItself, doc: "/docs/lifecycle" },
  first_callback: { word: t.firstCallbackAcknowledged, how: t.yourReceiverVerifies, doc: "/docs/callbacks" },
});

/** The steps to the first settlement; each is ticked automatically. */
export function Setup({ setup }: { setup: NonNullable<Now["setup"]> }) {
  const t = useTranslations(SETUP);
  const done = setup.filter((each) => each.done).length;
  return (
    <Section title={t.setUp} aside={<span className="muted">{t.done(done, setup.length)}</span>}>
      <ol className="setup" aria-label={t.stepsFirstSettlement}>
        {setup.map(({ step, done: isDone }) => {
          const { word, how, doc } = stepsOf(t)[step];
          return (
            <li key={step} data-done={isDone || undefined}>
              <span className="setup-mark">{isDone ? <CircleCheck aria-hidden size={18} /> : <Circle aria-hidden size={18} />}</span>
              <span className="setup-word">{word}</span>
              <span className="muted">{isDone ? t.doneLabel : how}</span>
              <a href={doc}>
                {t.how}
                <span className="sr-only"> {t.to(word)}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
