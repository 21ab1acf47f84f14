import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";

const debianChromium = "/usr/bin/chromium";
const args = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
if (process.getuid?.() === 0) args.push("--no-sandbox"); // Chromium's own sandbox does not work as root

/** Chromium as Playwright installs it, or Debian's own. */
export const launchOptions: LaunchOptions = {
  args,
  ...(existsSync(chromium.executablePath()) ? {} : { executablePath: debianChromium }),
};
