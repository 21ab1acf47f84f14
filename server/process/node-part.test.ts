import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SMALL } from "./node-part.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const listed = SMALL.map((flag) => JSON.stringify(flag)).join(", ");
const written = SMALL.join(" ");

it.each([
  ["Dockerfile", listed],
  ["compose.yaml", listed],
  ["packaging/image-machine.ts", listed],
  ["packaging/units/settlement-web@.service", written],
  ["packaging/units/settlement-worker@.service", written],
  ["docs/runbooks/start-live.md", written],
])("%s starts a process with as little memory as npm start does", (file, flags) => {
  expect(readFileSync(`${ROOT}${file}`, "utf8")).toContain(flags);
});

/** Loads every process's wiring in a separate process, and returns the packages that it loaded. */
function packagesOf(module: string): string[] {
  const program = `
    import { registerHooks } from "node:module";
    const seen = new Set();
    registerHooks({ load(url, context, next) {
      seen.add(/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]);
      return next(url, context);
    } });
    await import(${JSON.stringify(new URL(`../../${module}`, import.meta.url).href)});
    console.log(JSON.stringify([...seen].filter(Boolean)));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: ROOT, encoding: "utf8" }));
}

it("loads no large library before it is needed", { timeout: 120_000 }, () => {
  const loaded = packagesOf("server/wiring.ts");
  expect(loaded).toContain("drizzle-orm");
  const kept = ["viem", "ox", "nodemailer", "@simplewebauthn/server", "@opentelemetry/sdk-trace", "pkcs11js", "@aws-sdk/client-kms"];
  expect(loaded.filter((name) => kept.includes(name))).toEqual([]);
});
