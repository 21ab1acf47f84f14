import { expect, type Page, type ViewportSize } from "@playwright/test";

/** A page in the pseudo-language shows strings that are missing in the words files, and layouts that are too tight for longer texts. */

/** Not our texts: marked as data or as a sentence of the service, or an element that contains data by its nature. */
const DATA = "[translate=no], [lang=en]:not(html), code, kbd, pre, samp, time, script, style, noscript";
/** Addresses, chains, ids, currencies and zones, units, months: the same in every language here. */
const CODES = String.raw`https?://\S+|\b[a-z0-9-]{3,8}:[\w-]+|\b[a-z]{2,3}_[0-9a-z]{26}\b|[A-Z][A-Z0-9]{2,}|\b(?:ms|bps|gwei|kB|Ctrl)\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b`;

const VOWELS: Readonly<Record<string, string>> = { a: "á", e: "é", i: "í", o: "ó", u: "ú", A: "Á", E: "É", I: "Í", O: "Ó", U: "Ú" };
/** How those words are said in that language: by their vowels and their length. */
export const said = (text: string) =>
  new RegExp(`^⟦${[...text].map((letter) => VOWELS[letter] ?? (/[a-z]/i.test(letter) ? "." : letter)).join("")}`);

export const WIDE: ViewportSize = { width: 1280, height: 844 };
export const PHONE: ViewportSize = { width: 390, height: 844 };

/** The page says all that it is going to say. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/** Missing or cut-off texts, at each of these sizes; opened parts stay open. */
export async function foundIn(page: Page, sizes: readonly ViewportSize[]): Promise<string[]> {
  await settled(page);
  const opened = page.locator("dialog[open], [role=dialog], [role=menu], [role=listbox]");
  const before = await opened.count();
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await settled(page);
    await expect(opened, `what is open, ${size.width} wide`).toHaveCount(before);
    found.push(...(await leftOutOf(page)), ...(await tightPartsOf(page)).map((each) => `${each} (${size.width} wide)`));
  }
  return [...new Set(found)];
}

/** Texts and names of the page with plain letters in them, less data: nobody could translate these. */
export async function leftOutOf(page: Page): Promise<string[]> {
  return await page.evaluate(
    ({ data, codes }) => {
      const found = new Set<string>();
      const look = (text: string | null, where: string, element: Element) => {
        if (text === null || !/[A-Za-z]{2}/.test(text.replace(new RegExp(codes, "g"), "")) || element.closest(data)) return;
        found.add(`${where}: ${text.trim().replace(/\s+/g, " ").slice(0, 120)}`);
      };
      const isThere = (element: Element) =>
        (element instanceof HTMLOptionElement ? element.closest("select") : element)?.checkVisibility({ visibilityProperty: true }) ===
        true;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement;
        if (element !== null && isThere(element)) look(node.textContent, "text", element);
      }
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        for (const element of document.body.querySelectorAll(`[${name}]`))
          if (isThere(element) && (element as HTMLElement).dataset.served !== name) look(element.getAttribute(name), name, element);
      return [...found];
    },
    { data: DATA, codes: CODES },
  );
}

/** Where longer texts do not fit: the page scrolls sideways, a text is cut off without a sign, or exceeds its button. */
export async function tightPartsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found = new Set<string>();
    const textOf = (element: Element) => (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 80);
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.add(`the page scrolls sideways by ${root.scrollWidth - root.clientWidth}`);
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      if (!element.checkVisibility({ visibilityProperty: true }) || textOf(element) === "") continue;
      const { overflowX, textOverflow, position, clip, clipPath } = getComputedStyle(element);
      const isForEars = position === "absolute" && (clipPath !== "none" || clip !== "auto");
      if (isForEars || element.closest("svg, [aria-hidden=true]")) continue;
      const isCut = (overflowX === "hidden" || overflowX === "clip") && textOverflow !== "ellipsis";
      if (isCut && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1) found.add(`cut off: ${textOf(element)}`);
      if (overflowX !== "visible" || !element.matches("button, a, label, th, [role=tab], [role=menuitem]")) continue;
      const box = element.getBoundingClientRect();
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const holder = node.parentElement;
        if (holder === null || !holder.checkVisibility({ visibilityProperty: true }) || holder.clientWidth === 1) continue;
        // A text cut within it was judged above, separately.
        let cut = false;
        for (let each: Element | null = holder; each !== null && each !== element; each = each.parentElement)
          cut ||= getComputedStyle(each).overflowX !== "visible";
        if (cut) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const line of range.getClientRects())
          if (line.right > box.right + 1 || line.left < box.left - 1) found.add(`overflows: ${textOf(element)}`);
      }
    }
    return [...found];
  });
}
