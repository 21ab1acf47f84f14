import type { BrowserContext, Page } from "@playwright/test";

/** A browser's measurements of a loaded page, in milliseconds except for `shift`, which has no unit. */
export type Vitals = { lcp: number; shift: number; interactions: number[] };

/**
 * Makes every page of that context record, from the beginning, when its largest part was painted, what moved, and how long reactions took.
 */
export async function recordVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const vitals: Vitals = { lcp: 0, shift: 0, interactions: [] };
    Object.assign(window, { vitals });
    const observe = (options: PerformanceObserverInit & { durationThreshold?: number }, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ ...options, buffered: true });
    observe({ type: "largest-contentful-paint" }, ({ startTime }) => {
      vitals.lcp = startTime;
    });
    observe({ type: "layout-shift" }, (entry) => {
      if ("value" in entry && typeof entry.value === "number" && !("hadRecentInput" in entry && entry.hadRecentInput))
        vitals.shift += entry.value;
    });
    observe({ type: "event", durationThreshold: 16 }, (entry) => {
      if ("interactionId" in entry && entry.interactionId !== 0) vitals.interactions.push(entry.duration);
    });
  });
}

export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => Reflect.get(window, "vitals"));
}

/** Pastes a text at the focus, and returns the time until the first frame of the settlement's page. */
export async function pasteUntilOpened(page: Page, text: string, txId: string): Promise<number> {
  await page.evaluate((id) => {
    const opened = new Promise<number>((resolve) => {
      const begin = () => {
        const began = performance.now();
        const look = new MutationObserver(() => {
          if (!window.location.pathname.endsWith(id) || document.querySelector("h1 .money") === null) return;
          look.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - began));
        });
        look.observe(document, { childList: true, subtree: true });
      };
      window.addEventListener("paste", begin, { capture: true, once: true });
    });
    Object.assign(window, { opened });
  }, txId);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+v");
  return page.evaluate(() => Reflect.get(window, "opened"));
}
