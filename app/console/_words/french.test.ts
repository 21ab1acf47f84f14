import { globSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { FRENCH } from "./french.ts";
import { preferredLanguage } from "./language.ts";
import type { Words } from "./pseudo.ts";
import { Dictionary, translated } from "./translation.ts";

const FILES = globSync("app/console/**/{words,*-words,shared}.ts");

/** The groups of texts that a file exports, by their names in capitals. */
async function groupsOf(file: string): Promise<Words> {
  const exported: Record<string, Words> = await import(pathToFileURL(file).href);
  return Object.fromEntries(Object.entries(exported).filter(([name]) => /^[A-Z][A-Z0-9_]*$/.test(name)));
}

describe("the console in French", () => {
  it.each(FILES)("has every text of %s", async (file) => {
    expect(FRENCH.missingIn(await groupsOf(file))).toEqual([]);
  });

  it("has one translation for one name and one English text, with the same elements", () => {
    expect(FRENCH.conflicts).toEqual([]);
    expect(FRENCH.otherElements).toEqual([]);
  });
});

describe("a dictionary", () => {
  const english = { TILE: { title: "Open", count: (count: number) => `${count} open`, states: { held: "On hold since {time}" } } };
  const french = { TILE: { title: "Ouvert", count: (count: number) => `${count} en cours`, states: { held: "Retenu depuis {time}" } } };

  it("translates texts, functions and groups, also where a screen puts several groups together, and leaves the rest in English", () => {
    const words = new Dictionary([translated(english, french)]).translate({ ...english.TILE, unknown: "Unknown" });
    expect([words.title, words.count(2), words.states.held, words.unknown]).toEqual([
      "Ouvert",
      "2 en cours",
      "Retenu depuis {time}",
      "Unknown",
    ]);
  });

  it("names what is missing, what contradicts itself, and a sentence with other elements", () => {
    const other = translated({ TAB: { title: "Open", held: "Since {time}" } }, { TAB: { title: "Ouverts", held: "Depuis" } });
    const dictionary = new Dictionary([translated(english, french), other]);
    expect(dictionary.missingIn({ TILE: { ...english.TILE, more: "More" } })).toEqual(["TILE.more"]);
    expect(dictionary.conflicts).toEqual(["title, “Open”: “Ouvert” and “Ouverts”"]);
    expect(dictionary.otherElements).toEqual(["held: “Depuis”"]);
  });
});

describe("the browser's language", () => {
  it.each([
    [null, "en"],
    ["fr-CI,fr;q=0.9,en;q=0.8", "fr"],
    ["en-GB,en;q=0.9,fr;q=0.8", "en"],
    ["sw,fr;q=0.5,en;q=0.6", "en"],
    ["de, fr;q=0.1", "fr"],
    ["fr;q=0", "en"],
    ["*", "en"],
  ])("is found in %s", (accepted, language) => {
    expect(preferredLanguage(accepted)).toBe(language);
  });
});
