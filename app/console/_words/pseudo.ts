import { FORMAT } from "./formats.ts";

/** A pseudo-language: accented, 40 % longer and in brackets, so that untranslated strings and tight layouts show. */

/** A screen's texts: strings, functions that return strings, and groups of them. */
export type Words = { readonly [name: string]: string | ((...given: never[]) => string) | Words };

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED = [..."áƀçđéƒğħíĵķłɱñóþɋŕšŧúṽŵẋýžÁƁÇĐÉƑĞĦÍĴĶŁṀÑÓÞɊŔŠŦÚṼŴẊÝŽ"];

/** `{name}` marks an element in a sentence: it stays, and each piece next to it gets its own brackets. */
export function pseudo(text: string): string {
  return text
    .split(/(\{\w+\})/)
    .map((piece, index) => (index % 2 === 1 ? piece : pseudoPiece(piece)))
    .join("");
}

function pseudoPiece(text: string): string {
  if (!/\p{Letter}/u.test(text)) return text;
  // A sentence with a translated argument already contains brackets: one pair encloses all of it.
  const accented = text.replace(/[⟦⟧]/g, "").replace(/[a-z]/gi, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter);
  const more = Math.ceil(text.length * 0.4);
  const filling = Array.from({ length: Math.ceil(more / 5) }, () => " óńéš").join("");
  return `⟦${accented}${filling.slice(0, more)}⟧`;
}

const made = new WeakMap<object, object>();

/** All of a screen's texts in that language. Arguments (an amount, a name) are converted too, so that no text stays as it was. */
export function pseudoWords<Own extends Words>(words: Own): Own {
  const known = made.get(words);
  if (known !== undefined) return known as Own;
  const changed = Object.fromEntries(
    Object.entries(words).map(([name, value]) => {
      if (value === FORMAT) return [name, value];
      if (typeof value === "string") return [name, pseudo(value)];
      if (typeof value === "function") return [name, (...given: Parameters<typeof value>) => pseudo(value(...given))];
      return [name, pseudoWords(value)];
    }),
  );
  made.set(words, changed);
  return changed as Own;
}
