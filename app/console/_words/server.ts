import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { Preferences } from "../_components/frame/preferences.tsx";
import { readPreferences } from "../_format/preferences.ts";
import { pseudoWords, type Words } from "./pseudo.ts";
import { type WithShared, withShared } from "./shared.ts";

/** The language of the user who asks for the page, signed in or not. */
export async function preferencesKept(): Promise<Preferences> {
  const kept = await cookies();
  return readPreferences((name) => kept.get(name)?.value);
}

/** As `useTranslations`, for server components. */
export async function translationsOf<Own extends Words>(words: Own): Promise<WithShared<Own>> {
  const all = withShared(words);
  return (await preferencesKept()).language === "pseudo" ? pseudoWords(all) : all;
}

/** A page's title: `export const generateMetadata = titled(PAGE)`. */
export function titled(words: { readonly title: string }): () => Promise<Metadata> {
  return async () => ({ title: (await translationsOf({ title: words.title })).title });
}
