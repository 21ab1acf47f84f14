import { expect, type Page } from "@playwright/test";

/** The focused element is visible: it has a ring, and nothing covers its upper edge, its middle or its lower edge. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const look = () =>
    page.locator(":focus").evaluate((element) => {
      const { left, top, width, bottom } = element.getBoundingClientRect();
      const isOnTop = (y: number) => {
        const found = document.elementFromPoint(left + width / 2, y);
        return found !== null && (element.contains(found) || found.contains(element));
      };
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const covered = [top + 2, (top + bottom) / 2, bottom - 2].filter((y) => !isOnTop(y));
      return { of: element.outerHTML.slice(0, 120), hasRing: outlineStyle !== "none" && outlineWidth !== "0px", covered };
    });
  await expect.poll(look).toMatchObject({ hasRing: true, covered: [] });
}
