/**
 * Writes what follows from the table in scripts/import-rows.ts: `biome.imports.json`, which biome.json extends, and the picture in
 * docs/architecture.md. `--check` only compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { arrowsUp, ROWS, toMarkdown, toOverride } from "./import-rows.ts";
import { ROOT } from "./suites.ts";

const PAGE = "docs/architecture.md";
const PLACE = /(<!-- written by scripts\/import-rules\.ts -->\n)[\s\S]*?(?=<!-- end -->)/;

const wanted = {
  "biome.imports.json": () => `${JSON.stringify({ overrides: ROWS.map(toOverride) }, null, 2)}\n`,
  [PAGE]: (page: string) => page.replace(PLACE, (_, mark: string) => `${mark}${toMarkdown(ROWS)}\n`),
};

const wrong = arrowsUp(ROWS).map((arrow) => `an arrow leads up: ${arrow}`);
for (const [file, write] of Object.entries(wanted)) {
  const text = readFileSync(join(ROOT, file), "utf8");
  if (file === PAGE && !PLACE.test(text)) wrong.push(`${PAGE} has no place for the table`);
  if (text === write(text)) continue;
  if (process.argv.includes("--check"))
    wrong.push(`${file} and the table in scripts/import-rows.ts differ: run \`node scripts/import-rules.ts\`.`);
  else writeFileSync(join(ROOT, file), write(text));
}
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join("\n")}\n`);
  process.exit(1);
}
