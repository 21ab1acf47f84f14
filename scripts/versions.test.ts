import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "./suites.ts";
import { readVersions, writeVersions } from "./versions.ts";

const copy = mkdtempSync(join(tmpdir(), "settlement-versions-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test("every file that carries the version carries the same one", () => {
  expect(new Set(readVersions(ROOT).flatMap(({ versions }) => versions)).size).toBe(1);
});

test("another version is written everywhere, and nothing else is changed", () => {
  const before = readVersions(ROOT);
  for (const { path } of before) cpSync(join(ROOT, path), join(copy, path));
  writeVersions(copy, "77.88.99");
  expect(readVersions(copy).flatMap(({ versions }) => versions)).toEqual(before.flatMap(({ versions }) => versions.map(() => "77.88.99")));
  for (const { path, versions } of before) {
    const [own = ""] = versions;
    expect(readFileSync(join(copy, path), "utf8").replaceAll("77.88.99", own)).toBe(readFileSync(join(ROOT, path), "utf8"));
  }
});
