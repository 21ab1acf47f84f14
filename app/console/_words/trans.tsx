import { Fragment, type ReactNode } from "react";

/**
 * A sentence of the words with elements of the page in it: each stands where the sentence says `{its name}`, which is elsewhere in another
 * language.
 */
export function Trans({ sentence, ...elements }: { sentence: string } & Record<string, ReactNode>) {
  return sentence.split(/\{(\w+)\}/).map((piece, index) => {
    // Every second piece is a name.
    const shown = index % 2 === 1 ? elements[piece] : piece;
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence stay where they are
    return <Fragment key={index}>{shown}</Fragment>;
  });
}

/** What is told and not said, the same in every language: a name, an address, a reason that somebody wrote. */
export function Data({ children }: { children: ReactNode }) {
  return <span translate="no">{children}</span>;
}
