import { createElement, Fragment, type ReactNode } from "react";
import { useLanguage } from "../_components/frame/preferences.tsx";
import { inLanguage } from "./language.ts";
import type { Words } from "./pseudo.ts";
import { type WithShared, withShared } from "./shared.ts";

export type { WithShared };

/** A screen's texts, with the shared ones, in the user's language. */
export function useTranslations<Own extends Words>(words: Own): WithShared<Own> {
  return inLanguage(withShared(words), useLanguage());
}

/** A sentence with page elements in it. Each element replaces `{its name}`, whose position differs between languages. */
export function Trans({ sentence, ...elements }: { sentence: string } & Record<string, ReactNode>) {
  // Every second piece is a name. The pieces of a sentence never change places.
  const shown = sentence.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 1 ? elements[piece] : piece));
  return createElement(Fragment, null, ...shown);
}

/** Data within a text, the same in every language: a name, an address, a reason that somebody wrote. */
export function Data({ children }: { children: ReactNode }) {
  return createElement("span", { translate: "no" }, children);
}

/** A sentence from the service: a refusal, a reason to wait, a log text. It is English in every language of the page. */
export function Served({ children }: { children: ReactNode }) {
  return createElement("span", { lang: "en" }, children);
}
