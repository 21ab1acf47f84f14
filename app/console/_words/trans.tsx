import { Fragment, type ReactNode } from "react";

/** A sentence with page elements in it. Each element replaces `{its name}`, whose position differs between languages. */
export function Trans({ sentence, ...elements }: { sentence: string } & Record<string, ReactNode>) {
  return sentence.split(/\{(\w+)\}/).map((piece, index) => {
    // Every second piece is a name.
    const shown = index % 2 === 1 ? elements[piece] : piece;
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence stay where they are
    return <Fragment key={index}>{shown}</Fragment>;
  });
}

/** Data within a text, the same in every language: a name, an address, a reason that somebody wrote. */
export function Data({ children }: { children: ReactNode }) {
  return <span translate="no">{children}</span>;
}
