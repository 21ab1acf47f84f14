import { readFileSync } from "node:fs";
import { chromium } from "@playwright/test";
import { launchOptions } from "./support/browser.ts";
const BASE = "http://localhost:3690";
const users = JSON.parse(readFileSync("/dev/shm/lead-sb/sandbox.json", "utf8")).users;
const browser = await chromium.launch(launchOptions);
const shots: [string, string, string, number, "light" | "dark", string][] = JSON.parse(process.argv[2] ?? "[]");
const pages = new Map<string, any>();
for (const [name, role, path, width, scheme, locale] of shots) {
  const key = `${role} ${width} ${scheme} ${locale}`;
  let page = pages.get(key);
  if (!page) {
    const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 800 }, colorScheme: scheme, locale });
    const { email, password } = users[role];
    const { csrfToken } = await (await context.request.get(`${BASE}/api/auth/csrf`)).json();
    await context.request.post(`${BASE}/api/auth/callback/credentials`, { form: { email, password, csrfToken, json: "true" }, headers: { origin: BASE } });
    page = await context.newPage();
    pages.set(key, page);
  }
  await page.goto(BASE + path);
  await page.waitForTimeout(2500);
  await page.screenshot({ path: `/tmp/shot-${name}.png` });
}
await browser.close();
