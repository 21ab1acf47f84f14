import { expect, type Page, test } from "@playwright/test";
import { browserOf, open } from "../support/console.ts";
import { quote } from "../support/settlements.ts";

/** Only the page scrolls a list: there is no second scrollbar inside it, and its header and pager stay visible. */

const ROWS = 25;
const LEAST_IN_SIGHT = 15;

test.beforeAll(async () => {
  // More than a page: a single page has no pager that stays.
  for (let made = 0; made <= ROWS; made += 5) await Promise.all([1, 2, 3, 4, 5].map(() => quote()));
});

/** For a list in the middle of its scroll range: whether it scrolls itself, and what is visible between header and pager. */
async function lookAtList(page: Page) {
  const list = page.getByRole("region").filter({ has: page.getByRole("table") });
  await expect(list.getByRole("row").nth(ROWS)).toBeVisible();
  await list.getByRole("row").nth(5).hover();
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200);
  const ownScroll = await list.evaluate((box) => box.scrollHeight - box.clientHeight);
  const pastTheEdge = await list.evaluate((box) => box.scrollWidth - box.clientWidth);
  const [bar, header, pager] = [
    page.getByRole("banner").first(),
    list.getByRole("row").first(),
    page.getByRole("navigation", { name: "Pages of the list" }),
  ];
  const cells = header.getByRole("columnheader").nth(1);
  const placeOf = async (of: typeof bar) => (await of.boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
  const [barAt, headerAt, pagerAt] = [await placeOf(bar), await placeOf(cells), await placeOf(pager)];
  const rows = await list.getByRole("row").evaluateAll((all) => all.slice(1).map((row) => row.getBoundingClientRect()));
  const [from, to] = [headerAt.y + headerAt.height, pagerAt.y];
  return {
    ownScroll,
    pastTheEdge,
    belowBar: Math.round(headerAt.y - barAt.y - barAt.height),
    pagerEnds: Math.round(pagerAt.y + pagerAt.height),
    inSight: rows.filter(({ top, bottom }) => top >= from - 1 && bottom <= to + 1).length,
  };
}

for (const path of ["/console/settlements", "/console/audit?limit=25"]) {
  test(`one scroller at 1280×800, header and pager stay, and every column and 15 rows are in sight: ${path}`, async ({ browser }) => {
    const page = await browserOf(browser, "admin", { viewport: { width: 1280, height: 800 } });
    await open(page, path);
    const { inSight, ...rest } = await lookAtList(page);
    expect(rest).toEqual({ ownScroll: 0, pastTheEdge: 0, belowBar: 0, pagerEnds: 800 });
    expect(inSight).toBeGreaterThanOrEqual(LEAST_IN_SIGHT);
    await page.context().close();
  });
}

test("the marked row stays between header and pager while one walks by keys", async ({ browser }) => {
  const page = await browserOf(browser, "admin", { viewport: { width: 1280, height: 800 } });
  await open(page, "/console/settlements");
  await expect(page.getByRole("table").getByRole("row").nth(ROWS)).toBeVisible();
  for (let step = 0; step < ROWS - 1; step += 1) await page.keyboard.press("j");
  const row = page.getByRole("row").nth(ROWS - 1);
  const pager = page.getByRole("navigation", { name: "Pages of the list" });
  const endsAbove = async () => {
    const [at, edge] = [await row.boundingBox(), await pager.boundingBox()];
    return at !== null && edge !== null && at.y + at.height <= edge.y + 1;
  };
  await expect.poll(endsAbove).toBe(true);
  for (let step = 0; step < 18; step += 1) await page.keyboard.press("k");
  const header = page.getByRole("columnheader").nth(1);
  const early = page.getByRole("row").nth(ROWS - 19);
  await expect
    .poll(async () => {
      const [at, edge] = [await early.boundingBox(), await header.boundingBox()];
      return at !== null && edge !== null && at.y >= edge.y + edge.height - 1;
    })
    .toBe(true);
  await page.context().close();
});
