import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The samples that partners copy: a receiver that answers its own errors with 400 refuses every callback. */
const SDK = join(import.meta.dirname, "..");
const SAMPLES = join(SDK, "..", "..", "app", "docs", "_samples");
const texts = [
  join(SDK, "README.md"),
  join(SDK, "..", "python", "README.md"),
  ...readdirSync(SAMPLES, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name) : [],
  ),
].map((path) => [path.slice(path.lastIndexOf("/") + 1), readFileSync(path, "utf8")] as const);

it("no sample answers 400 to whatever is thrown", () => {
  const receivers = texts.filter(([, text]) => /\b400\b/.test(text));
  expect(receivers.length).toBeGreaterThan(3);
  for (const [name, text] of receivers) {
    expect(text, name).not.toMatch(/catch \{\s*(?:\/\/[^\n]*\s*)*response\.writeHead\(400/);
    expect(text, name).not.toMatch(/except(?: Exception)?:\s*\n[^\n]*400/);
  }
});
