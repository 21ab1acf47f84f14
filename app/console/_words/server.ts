import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import type { Preferences } from "../_components/frame/preferences.tsx";
import { readPreferences } from "../_format/preferences.ts";
import "./french.ts";
import { inLanguage, preferredLanguage } from "./language.ts";
import type { Words } from "./pseudo.ts";
import { type WithShared, withShared } from "./shared.ts";

/** The preferences of the user who asks for the page, signed in or not. Without a choice, the language is the browser's. */
export async function preferencesKept(): Promise<Preferences> {
  const [kept, sent] = [await cookies(), await headers()];
  return readPreferences((name) => kept.get(name)?.value, preferredLanguage(sent.get("accept-language")));
}

/** As `useTranslations`, for server components. */
export async function translationsOf<Own extends Words>(words: Own): Promise<WithShared<Own>> {
  return inLanguage(withShared(words), (await preferencesKept()).language);
}

/** A page's title: `export const generateMetadata = titled(PAGE)`. */
export function titled(words: { readonly title: string }): () => Promise<Metadata> {
  return async () => ({ title: (await translationsOf({ title: words.title })).title });
}
