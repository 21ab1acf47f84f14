import { Circle, CircleCheck } from "lucide-react";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useWords } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { SETUP } from "./words.ts";

type Says = typeof SETUP;

type Step = NonNullable<Now["setup"]>[number]["step"];

const stepsOf = (says: Says): Record<Step, { word: string; how: string; doc: string }> => ({
  key_created: { word: says.apiKey, how: says.ownerCreatesOne, doc: "/docs/signing" },
  first_signed_call: { word: says.firstSignedCall, how: says.postApiV1, doc: "/docs/signing" },
  first_quote: { word: says.firstQuote, how: says.postApiV12, doc: "/docs/amounts" },
  first_confirmed: { word: says.firstConfirmation, how: says.postConfirmBefore, doc: "/docs/lifecycle" },
  first_executed: { word: says.firstExecution, how: says.followsByItself, doc: "/docs/lifecycle" },
  first_callback: { word: says.firstCallbackAcknowledged, how: says.yourReceiverVerifies, doc: "/docs/callbacks" },
});

/** The way to the first settlement; each step ticks itself when it has happened. */
export function Setup({ setup }: { setup: NonNullable<Now["setup"]> }) {
  const says = useWords(SETUP);
  const done = setup.filter((each) => each.done).length;
  return (
    <Section title={says.setUp} aside={<span className="muted">{says.done(done, setup.length)}</span>}>
      <ol className="setup" aria-label={says.stepsFirstSettlement}>
        {setup.map(({ step, done: isDone }) => {
          const { word, how, doc } = stepsOf(says)[step];
          return (
            <li key={step} data-done={isDone || undefined}>
              <span className="setup-mark">{isDone ? <CircleCheck aria-hidden size={18} /> : <Circle aria-hidden size={18} />}</span>
              <span className="setup-word">{word}</span>
              <span className="muted">{isDone ? says.done2 : how}</span>
              <a href={doc}>
                {says.how}
                <span className="sr-only"> {says.to(word)}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
