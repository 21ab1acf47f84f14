import type { SignatureVerdict } from "#domain/signature-debugger/search.ts";

const TONES = { right: "passed", mistake: "failed", unknown: "unknown" } as const;

/** What is wrong with a signature, in a sentence, and what to do about it, in the reader's language. */
export function Verdict({ verdict }: { verdict: SignatureVerdict }) {
  return (
    <div className="sig-verdict" data-outcome={TONES[verdict.outcome]} role="status" lang="en">
      <p className="sig-sentence">{verdict.sentence}</p>
      {verdict.mistakes.map(({ id, advice }) => (
        <p key={id} data-mistake={id}>
          {advice}
        </p>
      ))}
    </div>
  );
}
