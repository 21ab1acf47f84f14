import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shortenExports } from "./shorten-exports.mjs";
import { ROOT } from "./suites.ts";

const FOLDER = join(ROOT, "node_modules", "drizzle-orm");
const { resolve } = createRequire(import.meta.url);

const targets = (name: string) => {
  const esm = { types: `./${name}.d.ts`, default: `./${name}.js` };
  return { import: esm, require: { types: `./${name}.d.cts`, default: `./${name}.cjs` }, ...esm };
};

it("names only what the pattern does not say", () => {
  const folder = targets("pg-core/index");
  const exports = { ".": targets("index"), "./alias": targets("alias"), "./pg-core": folder, "./pg-core/alias": targets("pg-core/alias") };
  expect(shortenExports(exports)).toEqual({ ".": targets("index"), "./pg-core": folder, "./*": targets("*") });
});

it("leads to every module of the installed package, and is short", () => {
  const modules = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".cjs"));
  expect(modules.length).toBeGreaterThan(400);
  for (const file of modules) {
    const name = file.replace(/(?:^|\/)index\.cjs$|\.cjs$/, "");
    // A folder of the same name comes first, as in the published package.
    const first = modules.includes(join(name, "index.cjs")) ? join(name, "index.cjs") : file;
    expect(resolve(name === "" ? "drizzle-orm" : `drizzle-orm/${name}`)).toBe(join(FOLDER, first));
  }
  const { exports } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8"));
  expect(JSON.stringify(exports).length).toBeLessThan(20_000);
});
