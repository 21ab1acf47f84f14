import { readFileSync } from "node:fs";
import { z } from "zod";

/** The version that runs, as the installation's own package.json tells it. Not for pages: what Next builds lies elsewhere. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
