import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { launchOptions } from "./support/browser.ts";

const use: PlaywrightTestConfig["use"] = { browserName: "chromium", screenshot: "only-on-failure", launchOptions };
/** Patterns are held against whole paths, whose beginning is not ours to say. */
const [API, DOCS, AUDIT] = ["**/e2e/api/**/*.spec.ts", "**/e2e/docs/**/*.spec.ts", "**/zz-audit.spec.ts"];
const PAGES = "**/e2e/console/everybody.spec.ts";

/**
 * Stories against a whole running sandbox: `api` speaks HTTP alone, `docs` reads the documentation in a browser, `pages` holds every page of
 * the console to what holds for all, `console` walks it as its people do. Each project ends with the audit of the sandbox that it had.
 * `npm test` runs three at a time, each in a sandbox of its own.
 */
export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./support/sandbox.ts",
  outputDir: "../test-results",
  // One sandbox, one movable clock: the stories take turns.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  // Far beyond what anything takes: they end what hangs, and judge no speed.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  projects: [
    { name: "api", testMatch: [API, AUDIT] },
    { name: "docs", testMatch: [DOCS, AUDIT], use },
    { name: "pages", testMatch: [PAGES, AUDIT], use },
    { name: "console", testIgnore: [API, DOCS, PAGES], use },
  ],
});
