import { defineConfig } from "@playwright/test";
import { launchOptions } from "./support/browser.ts";

/** Stories against a whole running sandbox: `api` speaks HTTP alone, `browser` looks at the pages. */
export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./support/sandbox.ts",
  outputDir: "../test-results",
  // One sandbox, one movable clock: the stories take turns.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  projects: [
    { name: "api", testMatch: "api/**/*.spec.ts" },
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
