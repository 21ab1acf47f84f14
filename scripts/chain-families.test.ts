import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./suites.ts";

/**
 * How many files know a family of chains outside its rooms (docs/decisions/chain-families.md). Comments, tests and documents do not count, nor
 * do files that are named after the family.
 */

const FAMILIES = {
  solana: /solana/i,
  tron: /(?<![A-Za-z])tron(?![a-z])|Tron(?![a-z])|TRON/,
  tempo: /tempo(?!r)/i,
};
const CODE = ["app", "cli", "contract", "db", "domain", "sandbox", "scripts", "server"];
const ROOMS = /^(server\/adapters\/(chain|signer)|server\/engines|sandbox\/chain)\//;
/** What partners and operators read: pages, the contract's descriptions, and the runbooks with their two lists. */
const DOCUMENTS = /^(app\/docs|contract|app\/console\/runbooks)\/|^domain\/runbook\.ts$/;
const MOST = 6;

const code = globSync(
  CODE.map((folder) => `${folder}/**/*.{ts,tsx}`),
  { cwd: ROOT },
).filter((path) => !/\.test\.tsx?$|\.d\.ts$/.test(path) && !ROOMS.test(path) && !DOCUMENTS.test(path));

const withoutComments = (text: string) => text.replace(/(^|\s)\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");

test.each(Object.entries(FAMILIES))("at most six files of code know %s outside its rooms", (family, name) => {
  const knowing = code.filter((path) => {
    if (path.toLowerCase().includes(family)) return false;
    return name.test(withoutComments(readFileSync(`${ROOT}/${path}`, "utf8")));
  });
  expect(knowing.length, knowing.join("\n")).toBeLessThanOrEqual(MOST);
  // The configuration of its chains always does, so a search that finds nothing is broken.
  expect(knowing).toContain("server/config/chains.ts");
});
