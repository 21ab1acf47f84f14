/**
 * Shortens the `exports` of drizzle-orm after its installation. The published package (0.4x) names 447 files one by one, in 170 KB of JSON,
 * and Node parses that again for each module that imports the package: half of the CPU that a process of ours took to start. All but the
 * folders follow one pattern, so a pattern says the same: every import leads to the same file. It does nothing if it has been done.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PATTERN = "./*";

/** @param {string} name of a file without its ending, or the pattern's `*` */
function targetsOf(name) {
  const [esm, cjs] = [
    { types: `./${name}.d.ts`, default: `./${name}.js` },
    { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  ];
  return { import: esm, require: cjs, ...esm };
}

/**
 * The same exports by a pattern, and by name only where the pattern says something else.
 *
 * @param {Record<string, unknown>} exports
 * @returns {Record<string, unknown>}
 */
export function shortenExports(exports) {
  const isAlike = ([key, targets]) => JSON.stringify(targets) === JSON.stringify(targetsOf(key.slice(2)));
  return { ...Object.fromEntries(Object.entries(exports).filter((entry) => !isAlike(entry))), [PATTERN]: targetsOf("*") };
}

/** @param {string} root the project's directory */
export function shortenDrizzleExports(root) {
  const path = join(root, "node_modules", "drizzle-orm", "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  if (PATTERN in manifest.exports) return;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...manifest, exports: shortenExports(manifest.exports) }, null, 2)}\n`);
  renameSync(draft, path);
}
