import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

/** The size of targets counts too, which axe omits by default. Passes are not collected, which is half of the work. */
const OPTIONS: axe.RunOptions = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] };

/** The rules that judge colours. Everything else is the same in both themes. */
const OF_COLOURS: axe.RunOptions = {
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
  resultTypes: ["violations"],
};

/** What axe finds on a page, or within one part of it, each as a line. */
export async function faultsOf(page: Page, within?: string, options = OPTIONS): Promise<string[]> {
  // While one page replaces another, there is no title for a moment.
  await expect(page).toHaveTitle(/./);
  await page.evaluate(toTheEnd);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return await page.evaluate(
    async ({ within, options }) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(within ?? document, options);
      return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
    },
    { within, options },
  );
}

/** The same in light; in dark what judges colours, which is all that a theme changes (`e2e/console/everybody.spec.ts`). */
export async function faultsInBothThemes(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const options = colorScheme === "light" ? OPTIONS : OF_COLOURS;
    found.push(...(await faultsOf(page, within, options)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}

/** Nothing makes the page wider than the window, once what measures itself (plots, tables) has followed a new size. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  await expect.poll(() => sticksOut(page), `${where} scrolls sideways`).toEqual([]);
}

/** The parts that end right of the window, with their text. */
async function sticksOut(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const parts = [...document.body.querySelectorAll<HTMLElement>("*")].filter((each) => each.getBoundingClientRect().right > clientWidth);
    return [
      `${scrollWidth - clientWidth} pixels`,
      ...parts.map((each) => `${each.tagName}.${each.className}: ${each.textContent.slice(0, 40)}`),
    ];
  });
}

/** Checks the state after a dialog has opened: all animations are finished, except endless ones. */
function toTheEnd(): void {
  for (const each of document.getAnimations()) if (Number.isFinite(each.effect?.getComputedTiming().endTime)) each.finish();
}

/** The page on show has one heading, one main part, and a skip link that is the first stop and works. Answers its title. */
export async function titleOfSound(page: Page, path: string): Promise<string> {
  await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
  await expect(page.getByRole("main"), path).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(page.locator(":focus"), path).toHaveText("Skip to the content");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main"), path).toBeFocused();
  return await page.title();
}
