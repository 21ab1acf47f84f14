import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { z } from "zod";
import { launchOptions } from "#e2e/support/browser.ts";
import { sandboxFilePath } from "#sandbox/client/sandbox-file.ts";
import { ROOT } from "#scripts/suites.ts";

/**
 * The pictures in `docs/images`. `node release/pictures.ts shoot FOLDER` takes them from the running sandbox (`DATA_DIR`) with its month of
 * history. `… readme FOLDER` installs those of the README, `… compose BEFORE AFTER` puts two versions side by side. Take both from the same
 * data, the older version first, since data is only migrated forward.
 */
const IMAGES = join(ROOT, "docs", "images");
const THEMES = ["light", "dark"] as const;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 800 },
] as const;
/** The caption of every version. */
const StartedSandbox = z.object({
  base_url: z.url(),
  users: z.object({ approver: z.object({ email: z.string(), password: z.string() }) }),
});
const SCREENS = [
  ...(["overview", "approvals", "settlements", "settlement", "callbacks"] as const),
  ...(["treasury", "rates", "fiat", "partners", "audit"] as const),
];
/** Of these also the dark pictures are kept. */
const IN_DARK: readonly string[] = ["overview", "approvals", "settlement"];

const [order, first = "", second = ""] = process.argv.slice(2);
const browser = await chromium.launch(launchOptions);
try {
  if (order === "shoot") await shoot(browser, first);
  else if (order === "readme") await readme(browser, first);
  else if (order === "compose") await compose(browser, first, second);
  else throw new Error("shoot FOLDER, readme FOLDER, or compose BEFORE AFTER");
} finally {
  await browser.close();
}

/** Every screen, in both themes, wide and on a phone. */
async function shoot(browser: Browser, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { base_url, users } = StartedSandbox.parse(JSON.parse(readFileSync(sandboxFilePath(), "utf8")));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base_url}/console/sign-in`);
  await page.getByLabel("E-mail address").fill(users.approver.email);
  await page.getByLabel("Password").fill(users.approver.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`${base_url}/console`);
  const input = encodeURIComponent(JSON.stringify({ view: "executed" }));
  const list = await (await page.request.get(`${base_url}/api/trpc/settlements.list?input=${input}`)).json();
  const paths = {
    overview: "/console?range=30d",
    approvals: "/console/approvals",
    settlements: "/console/settlements",
    settlement: `/console/settlements/${list.result.data.data[0].settlement.tx_id}`,
    callbacks: "/console/callbacks",
    treasury: "/console/treasury",
    rates: "/console/rates",
    fiat: "/console/fiat",
    partners: "/console/partners",
    audit: "/console/audit",
  };
  for (const theme of THEMES) {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: theme });
      for (const screen of SCREENS) {
        await page.goto(base_url + paths[screen]);
        await settled(page);
        await page.screenshot({ path: join(folder, nameOf(screen, theme, size.width)) });
      }
    }
  }
}

function nameOf(screen: string, theme: string, width: number): string {
  return `${screen}-${theme}-${width}.png`;
}

/** It is connected and nothing is being read any more. */
async function settled(page: Page): Promise<void> {
  await page
    .getByRole("status")
    .filter({ hasText: /^Live$/ })
    .waitFor();
  await page.waitForFunction(() => document.querySelector("main [aria-busy=true]") === null);
  await page.evaluate(() => document.fonts.ready);
}

async function readme(browser: Browser, folder: string): Promise<void> {
  for (const screen of ["overview", "approvals"]) {
    const shot = join(folder, nameOf(screen, "light", 1280));
    writeFileSync(join(IMAGES, `console-${screen}.png`), await lay(browser, [{ image: shot, width: 1280 }], { width: 1280, height: 800 }));
  }
}

/** Before and after, wide and on a phone, at half the size. */
async function compose(browser: Browser, before: string, after: string): Promise<void> {
  for (const screen of SCREENS) {
    for (const theme of THEMES.filter((each) => each === "light" || IN_DARK.includes(screen))) {
      const shown = SIZES.flatMap(({ width }) =>
        [before, after].map((folder) => ({
          image: join(folder, nameOf(screen, theme, width)),
          width: width / 2,
          t: `${folder === before ? "before" : "after"}, ${width}`,
        })),
      );
      const path = join(IMAGES, `before-after-${screen}-${theme}.webp`);
      writeFileSync(path, await asWebp(browser, await lay(browser, shown, { width: 1710, height: 436 })));
    }
  }
}

/** A quarter of the size of the PNG. */
async function asWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const url = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.5);
  }, png.toString("base64"));
  await page.close();
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}

type Shown = { image: string; width: number; t?: string };

async function lay(browser: Browser, shown: readonly Shown[], viewport: { width: number; height: number }): Promise<Buffer> {
  const page = await browser.newPage({ viewport });
  const figures = shown.map(({ image, width, t }) => {
    const data = readFileSync(image).toString("base64");
    return `<figure>${t ? `<figcaption>${t}</figcaption>` : ""}<img width="${width}" src="data:image/png;base64,${data}"></figure>`;
  });
  const style =
    "body{margin:0;display:flex;gap:8px;background:#ddd}figure{margin:0}figcaption{font:16px sans-serif;padding:6px}img{display:block}";
  await page.setContent(`<style>${style}</style>${figures.join("")}`);
  const png = await page.screenshot();
  await page.close();
  return png;
}
