import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";

/**
 * Debian's own, the least costly first: the shell draws no windows; what its package starts by `chromium` is a script that has all drawing
 * done by a graphics card, which a machine without one works out at the expense of the stories.
 */
const DEBIAN = ["/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium", "/usr/bin/chromium"];
const args = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
if (process.getuid?.() === 0) args.push("--no-sandbox"); // Chromium's own sandbox does not work as root

/** Chromium as installed by Playwright (which uses its own shell by default), or Debian's own. */
const executablePath = existsSync(chromium.executablePath()) ? undefined : DEBIAN.find((path) => existsSync(path));
export const launchOptions: LaunchOptions = executablePath === undefined ? { args } : { args, executablePath };
