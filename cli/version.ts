import { readFileSync } from "node:fs";
import { z } from "zod";

/** The project's version, which the SDKs and the service share. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))).version;
