import { existsSync } from "node:fs";
import { chromium, defineConfig } from "@playwright/test";

const debianChromium = "/usr/bin/chromium";
const args = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
if (process.getuid?.() === 0) args.push("--no-sandbox"); // Chromium's own sandbox does not work as root

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
        launchOptions: { args, ...(existsSync(chromium.executablePath()) ? {} : { executablePath: debianChromium }) },
      },
    },
  ],
});
