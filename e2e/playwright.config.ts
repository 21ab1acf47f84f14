import { defineConfig } from "@playwright/test";
import { launchOptions } from "./support/browser.ts";

/**
 * Stories against a whole running sandbox: `api` speaks HTTP alone, `browser` looks at the pages. Each project ends with the audit of
 * the sandbox that it had. `npm test` runs the two beside each other, each in a sandbox of its own.
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
    { name: "api", testMatch: ["api/**/*.spec.ts", "zz-audit.spec.ts"] },
    {
      name: "browser",
      testIgnore: "api/**",
      use: {
        browserName: "chromium",
        screenshot: "only-on-failure",
        launchOptions,
      },
    },
  ],
});
