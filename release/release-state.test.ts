import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/suites.ts";
import {
  findChangelogTrouble,
  findReleaseTrouble,
  findSupportTrouble,
  nameRelease,
  nameSdkRelease,
  SDK_CHANGELOGS,
} from "./release-state.ts";

const GOOD =
  "# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-11-22)\n\n### Upgrading\n- Take a backup.\n\n## 1.0.0 (2026-10-01)\n\nFirst.\n";

test("a changelog with a dated section for the version, and how to get there, is whole", () => {
  expect(findChangelogTrouble(GOOD, "1.1.0")).toEqual([]);
});

test("unreleased changes above it, a version without a section, and a section without the steps to it, are found", () => {
  expect(findChangelogTrouble(GOOD.replace("## Unreleased\n", "## Unreleased\n\n- One more.\n"), "1.1.0")).toEqual([
    "CHANGELOG.md has changes under Unreleased",
  ]);
  expect(findChangelogTrouble(GOOD, "1.2.0")).toEqual(['CHANGELOG.md has no section "## 1.2.0 (date)"']);
  expect(findChangelogTrouble(GOOD, "1.0.0")).toEqual(['CHANGELOG.md does not say how to come to 1.0.0 ("### Upgrading")']);
});

test("what waits becomes the version's section; without a word on how to come to it, or twice, it does not", () => {
  const waiting = GOOD.replace("## 1.1.0 (2026-11-22)\n\n", "- One.\n\n");
  const named = nameRelease(waiting, "1.1.0", "2026-11-23");
  expect(named).toContain("## Unreleased\n\n## 1.1.0 (2026-11-23)\n\n- One.");
  expect(findChangelogTrouble(named, "1.1.0")).toEqual([]);
  expect(() => nameRelease(waiting.replace("### Upgrading", "### Further"), "1.1.0", "2026-11-23")).toThrow(/how to come to 1\.1\.0/);
  expect(() => nameRelease(named, "1.1.0", "2026-11-23")).toThrow(/has 1\.1\.0 already/);
});

test("what waits in an SDK's changelog becomes the version's section; where nothing waits, the section says so", () => {
  const waiting = "# Changelog\n\n## Unreleased\n\n### Added\n- One.\n\n## 1.1.0 (2026-11-22)\n\nFirst.\n";
  const named = nameSdkRelease(waiting, "1.2.0", "2026-12-01");
  expect(named).toContain("## Unreleased\n\n## 1.2.0 (2026-12-01)\n\n### Added\n- One.\n\n## 1.1.0 (");
  expect(nameSdkRelease(named, "1.3.0", "2026-12-24")).toContain("## 1.3.0 (2026-12-24)\n\nNothing changed but the version.\n\n## 1.2.0 (");
});

test("an SDK without a section of the version is no release", () => {
  const trouble = findReleaseTrouble(ROOT, "99.0.0");
  for (const path of SDK_CHANGELOGS) {
    expect(trouble).toContain(`${path} has no section "## 99.0.0 (date)"`);
    expect(readFileSync(join(ROOT, path), "utf8")).toMatch(/^## Unreleased$/m);
  }
});

test("a version that nobody promised to look after is found", () => {
  const security = "| Version | Until |\n|---|---|\n| 1.1.x | then |\n";
  expect(findSupportTrouble(security, "1.1.0")).toEqual([]);
  expect(findSupportTrouble(security, "11.1.0")).toEqual(["SECURITY.md does not say for how long 11.1.x is looked after"]);
});
