import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { STEP_PATCHES } from "./altered.ts";
import { takenOut } from "./simulation/seam.ts";

it.each(STEP_PATCHES)("the source where a process may be asked to die has exactly once: $is", (patch) => {
  const source = readFileSync(new URL(`../${patch.file}`, import.meta.url), "utf8");
  expect(takenOut(source, patch)).toContain("reachStep");
});
