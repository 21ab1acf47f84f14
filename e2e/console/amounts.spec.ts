import { expect, type Page, test } from "@playwright/test";
import { partner } from "../support/client.ts";
import { browserOf, open } from "../support/console.ts";
import { inUnits, literalOf } from "../support/money.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { quote, SETTLEMENTS } from "../support/settlements.ts";

/** Amounts on pages: the digits of the API, neither more nor fewer, where the eye finds them. */

/** How many decimals a currency has, by ISO 4217. */
const EXPONENTS = { KES: 2, PHP: 2, JPY: 0, KWD: 3 } as const;
type Source = keyof typeof EXPONENTS;
const ASKED: readonly { source_currency: Source; destination_currency: string; source_amount: number }[] = [
  { source_currency: "KES", destination_currency: "USDT", source_amount: 99_999_999 },
  { source_currency: "PHP", destination_currency: "USDC", source_amount: 4_999_999 },
  { source_currency: "JPY", destination_currency: "USDT", source_amount: 15_001 },
  { source_currency: "KWD", destination_currency: "USDC", source_amount: 12_345 },
];

/** A settlement of each, with the literals of the API's own text. */
async function listed(merchant: string) {
  const made = [];
  for (const asked of ASKED) {
    const { tx_id } = await quote({ ...asked, external_merchant_id: merchant });
    const { text } = await partner.get(`${SETTLEMENTS}/${tx_id}`);
    made.push({ ...asked, tx_id, net: literalOf(text, "destination_amount"), minor: literalOf(text, "source_amount") });
  }
  return made;
}

const rowOf = (page: Page, txId: string) => page.locator("tbody tr").filter({ has: page.locator(`[title="${txId}"]`) });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test("the list's amounts are the API's to the last digit, each with its currency, in columns of even figures that end at one line", async ({
  browser,
}) => {
  const merchant = `amounts-${Date.now()}`;
  const made = await listed(merchant);
  const page = await browserOf(browser, "viewer");
  await open(page, `/console/settlements?merchant=${merchant}`);
  await expect(page.locator("tbody tr")).toHaveCount(made.length);
  const headers = await page.getByRole("columnheader").allInnerTexts();
  const cellOf = (txId: string, header: string) => rowOf(page, txId).locator("td").nth(headers.indexOf(header));
  const shownIn = async (txId: string, header: string) => {
    const cell = cellOf(txId, header);
    const [digits = "", currency = ""] = (await cell.getByTitle(/^\d+(\.\d+)? [A-Z]+$/).innerText()).split(/\s+/);
    expect(digits).toMatch(/^\d{1,3}(,\d{3})*(\.\d+)?$/);
    return { digits: digits.replaceAll(",", ""), currency };
  };
  for (const { tx_id, net, minor, source_currency: from, destination_currency: to } of made) {
    const [source, arrives] = [await shownIn(tx_id, "Source"), await shownIn(tx_id, "Net")];
    expect([source.currency, arrives.currency]).toEqual([from, to]);
    expect(inUnits(source.digits, EXPONENTS[from])).toBe(BigInt(minor));
    expect(inUnits(arrives.digits, 8)).toBe(inUnits(net, 8));
  }
  for (const header of ["Source", "Net"]) {
    const set = await Promise.all(
      made.map(({ tx_id }) =>
        cellOf(tx_id, header).evaluate((cell) => {
          const money = cell.querySelector<HTMLElement>("[title]");
          const digits = money?.querySelector<HTMLElement>("span");
          if (money === null || !digits) throw new Error("there is no amount");
          const widthOf = (text: string) => {
            const copy = digits.cloneNode() as HTMLElement;
            copy.textContent = text;
            digits.after(copy);
            const { width } = copy.getBoundingClientRect();
            copy.remove();
            return width;
          };
          const { textAlign, fontVariantNumeric } = getComputedStyle(money);
          const even = Math.abs(widthOf("11111111") - widthOf("80808080")) < 0.1;
          return { textAlign, fontVariantNumeric, even, right: Math.round(money.getBoundingClientRect().right) };
        }),
      ),
    );
    const [first] = set;
    expect(first).toMatchObject({ textAlign: "right", fontVariantNumeric: "tabular-nums", even: true });
    expect(set).toEqual(set.map(() => first));
  }
  await page.context().close();
});

test("what is copied is the amount as programs write it, from the list and from its page; who hides amounts is offered none", async ({
  browser,
}) => {
  const merchant = `copied-${Date.now()}`;
  const [made] = await listed(merchant);
  if (made === undefined) throw new Error("nothing was made");
  const page = await browserOf(browser, "viewer", { permissions: ["clipboard-read", "clipboard-write"] });
  const menuOf = async () => {
    await open(page, `/console/settlements?merchant=${merchant}`);
    await rowOf(page, made.tx_id)
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await expect(page.getByRole("menuitem", { name: "Copy wallet" })).toBeVisible();
  };
  const copy = page.getByRole("menuitem", { name: /^Copy (source|net) amount$/ });
  await menuOf();
  await copy.first().click();
  await expect.poll(() => clipboard(page)).toBe("999999.99");
  await menuOf();
  await copy.last().click();
  await expect.poll(() => clipboard(page)).toBe(made.net);
  await open(page, `/console/settlements/${made.tx_id}`);
  await page.getByRole("button", { name: "Copy source amount" }).click();
  await expect.poll(() => clipboard(page)).toBe("999999.99");
  await page.getByRole("button", { name: "Copy net to the wallet" }).click();
  await expect.poll(() => clipboard(page)).toBe(made.net);

  await page.context().addCookies([{ name: "amounts", value: "hidden", url: BASE_URL }]);
  await menuOf();
  await expect(copy).toHaveCount(0);
  await expect(rowOf(page, made.tx_id).getByTitle("Amounts are hidden").first()).not.toContainText(/\d/);
  await page.context().close();
});
