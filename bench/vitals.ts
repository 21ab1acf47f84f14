import type { BrowserContext, Page } from "@playwright/test";

/** What a browser tells of a page that it has loaded, in milliseconds but for `shift`, which has no unit. */
export type Vitals = { lcp: number; shift: number; interactions: number[] };

/** Every page of that context notes from its first moment on when its largest part was painted, what moved, and how long it took to react. */
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

/** Pastes a text where the focus is, and answers how long it took from there to the first frame of the settlement's own page. */
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
