import { defineConfig, type PlaywrightTestConfig } from "@playwright/test";
import { STORY_PROJECTS } from "#scripts/stories.ts";
import { launchOptions } from "./support/browser.ts";

const use: PlaywrightTestConfig["use"] = { browserName: "chromium", screenshot: "only-on-failure", launchOptions };

/** Stories against a whole running sandbox. `npm test` runs four projects at a time, each in a separate sandbox. */
export default defineConfig({
  testDir: ".",
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
  projects: STORY_PROJECTS.map(({ name, matches, ignores, browser }) => ({
    name,
    testMatch: matches,
    testIgnore: ignores,
    use: browser ? use : {},
  })),
});
