import { readFileSync } from "node:fs";
import { z } from "zod";

/** The running version, from the installation's own package.json. Not for pages: Next's build output is elsewhere. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
