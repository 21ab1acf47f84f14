import type { Words } from "./pseudo.ts";

/** The texts of a words file in another language: the same names, and functions of the same values. What is no text is left out. */
export type Translation<Of> = Of extends string
  ? string
  : Of extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Name in keyof Of as Of[Name] extends string | object ? Name : never]: Translation<Of[Name]> };

/** A words file with its translation. */
export type Translated = readonly [english: Words, translation: Words];

/** A words file's translation. It does not compile with a name too few or too many. */
export function translated<English extends Words>(english: English, translation: Translation<English>): Translated {
  return [english, translation as Words];
}

/**
 * All texts of a language. A text is found by its name and its English, a function by itself, because screens put the groups of several
 * files together.
 */
export class Dictionary {
  readonly #texts = new Map<string, string>();
  readonly #functions = new Map<unknown, (...given: never[]) => string>();
  readonly #made = new WeakMap<object, object>();
  /** Texts of one name and one English that have two translations: one of them must get another name. */
  readonly conflicts: string[] = [];
  /** Translations that have other `{elements}` than their sentence: something would not show. */
  readonly otherElements: string[] = [];

  constructor(files: readonly Translated[]) {
    for (const [english, translation] of files) this.#add(english, translation);
  }

  /** A screen's texts in this language; in English where it has none. */
  translate<Own extends Words>(words: Own): Own {
    const known = this.#made.get(words);
    if (known !== undefined) return known as Own;
    const made = Object.fromEntries(Object.entries(words).map(([name, value]) => [name, this.#find(name, value)]));
    this.#made.set(words, made);
    return made as Own;
  }

  /** The names of the texts that this language lacks. */
  missingIn(words: Words, path = ""): string[] {
    return Object.entries(words).flatMap(([name, value]) => {
      if (typeof value === "object") return this.missingIn(value, `${path}${name}.`);
      const has = typeof value === "string" ? this.#texts.has(keyOf(name, value)) : this.#functions.has(value);
      return has ? [] : [`${path}${name}`];
    });
  }

  #find(name: string, value: Words[string]): Words[string] {
    if (typeof value === "string") return this.#texts.get(keyOf(name, value)) ?? value;
    return typeof value === "function" ? (this.#functions.get(value) ?? value) : this.translate(value);
  }

  #add(english: Words, translation: Words): void {
    for (const [name, text] of Object.entries(translation)) {
      const source = english[name];
      if (typeof source === "string" && typeof text === "string") this.#addText(name, source, text);
      else if (typeof source === "function" && typeof text === "function") this.#functions.set(source, text);
      else if (typeof source === "object" && typeof text === "object") this.#add(source, text);
    }
  }

  #addText(name: string, english: string, text: string): void {
    if (elementsOf(english) !== elementsOf(text)) this.otherElements.push(`${name}: “${text}”`);
    const key = keyOf(name, english);
    const before = this.#texts.get(key);
    if (before !== undefined && before !== text) this.conflicts.push(`${name}, “${english}”: “${before}” and “${text}”`);
    this.#texts.set(key, text);
  }
}

const elementsOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted().join(" ");
const keyOf = (name: string, english: string) => `${name}\n${english}`;
