import { Circle, CircleCheck } from "lucide-react";
import { Section } from "../../_components/frame/page-parts.tsx";
import type { Now } from "./use-overview.ts";

type Step = NonNullable<Now["setup"]>[number]["step"];

const STEPS: Record<Step, { word: string; how: string; doc: string }> = {
  key_created: { word: "An API key", how: "An owner creates one; its secret is shown once.", doc: "/docs/signing" },
  first_signed_call: { word: "The first signed call", how: "POST /api/v1/echo shows how your signature was read.", doc: "/docs/signing" },
  first_quote: { word: "The first quote", how: "POST /api/v1/settlements.", doc: "/docs/amounts" },
  first_confirmed: { word: "The first confirmation", how: "POST …/confirm before the quote expires.", doc: "/docs/lifecycle" },
  first_executed: { word: "The first execution", how: "Follows by itself once the chain is deep enough.", doc: "/docs/lifecycle" },
  first_callback: { word: "The first callback acknowledged", how: "Your receiver verifies it and answers 2xx.", doc: "/docs/callbacks" },
};

/** The way to the first settlement; each step ticks itself when it has happened. */
export function Setup({ setup }: { setup: NonNullable<Now["setup"]> }) {
  const done = setup.filter((each) => each.done).length;
  return (
    <Section title="Set up" aside={<span className="muted">{`${done} of ${setup.length} done`}</span>}>
      <ol className="setup" aria-label="Steps to the first settlement">
        {setup.map(({ step, done: isDone }) => {
          const { word, how, doc } = STEPS[step];
          return (
            <li key={step} data-done={isDone || undefined}>
              <span className="setup-mark">{isDone ? <CircleCheck aria-hidden size={18} /> : <Circle aria-hidden size={18} />}</span>
              <span className="setup-word">{word}</span>
              <span className="muted">{isDone ? "Done" : how}</span>
              <a href={doc}>
                How<span className="sr-only"> to: {word}</span>
              </a>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
