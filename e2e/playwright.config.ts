import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { launchOptions } from "./support/browser.ts";

const use: PlaywrightTestConfig["use"] = { browserName: "chromium", screenshot: "only-on-failure", launchOptions };
/** Patterns are matched against whole paths, whose beginning is unknown here. */
const [API, DOCS, AUDIT] = ["**/e2e/api/**/*.spec.ts", "**/e2e/docs/**/*.spec.ts", "**/zz-audit.spec.ts"];
const PAGES = "**/e2e/console/everybody.spec.ts";

/**
 * Stories against a whole running sandbox: `api` uses only HTTP, `docs` reads the documentation in a browser, `pages` checks every page of
 * the console against common rules, `console` uses it as its users do. Each project ends with the audit of its sandbox. `npm test` runs
 * three at a time, each in a separate sandbox.
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
