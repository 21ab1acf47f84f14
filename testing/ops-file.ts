import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of `ops/database`. */
export function opsFile(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../ops/database/${name}`, import.meta.url)), "utf8");
}

/** The same settings with other values: only for names in the file, so that a test never runs with a setting that operators do not have. */
export function withValues(text: string, values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).reduce((before, [name, value]) => {
    const line = new RegExp(`^( *${name} *[=:] *).*$`, "m");
    if (!line.test(before)) throw new Error(`the file of ops/database has no ${name}`);
    return before.replace(line, (_, begin: string) => `${begin}${value}`);
  }, text);
}
