import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** What axe finds on a page, or within one part of it, each as a line. The size of targets counts too, which axe leaves out by itself. */
export async function faultsOf(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(untilStill);
  // Without frames nothing has to be put together in a page of its own, and what holds needs no naming: half of the time went there.
  const options = { rules: { "target-size": { enabled: true } }, resultTypes: ["violations" as const] };
  const builder = new AxeBuilder({ page }).setLegacyMode().options(options);
  const { violations } = await (within === undefined ? builder : builder.include(within)).analyze();
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

/** What a person reads is what stands when a dialog has opened; what turns for ever is not waited for. */
async function untilStill(): Promise<void> {
  const moving = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
  await Promise.allSettled(moving.map((each) => each.finished));
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
