import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectsOf } from "./stories.ts";
import { ROOT } from "./suites.ts";

const stories = readdirSync(join(ROOT, "e2e"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".spec.ts"));

it("runs every story once, and the audit after those of each shared sandbox", () => {
  expect(stories.length).toBeGreaterThan(80);
  for (const story of stories) {
    const names = projectsOf([join(ROOT, "e2e", story)]).map(({ name }) => name);
    if (story === "zz-audit.spec.ts") expect(names).toEqual(["programs", "money", "console", "api", "partner", "pages", "docs"]);
    else expect(names, story).toHaveLength(1);
  }
});
