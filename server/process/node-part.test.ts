import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { SMALL, WEB } from "./node-part.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const listed = (flags: readonly string[], script: string) =>
  [...flags, `server/${script}/main.ts`].map((each) => JSON.stringify(each)).join(", ");
const written = (flags: readonly string[], script: string) => [...flags, `server/${script}/main.ts`].join(" ");

it.each([
  ["Dockerfile", listed(WEB, "http")],
  ["compose.yaml", listed(SMALL, "worker")],
  ["compose.yaml", listed(SMALL, "signer")],
  ["ops/kubernetes/base/web.yaml", listed(WEB, "http")],
  ["ops/kubernetes/base/worker.yaml", listed(SMALL, "worker")],
  ["ops/kubernetes/base/worker.yaml", listed(SMALL, "signer")],
  ["packaging/units/settlement-web@.service", written(WEB, "http")],
  ["packaging/units/settlement-worker@.service", written(SMALL, "worker")],
  ["packaging/units/settlement-signer.service", written(SMALL, "signer")],
  ["docs/runbooks/start-live.md", written(WEB, "http")],
  ["docs/runbooks/start-live.md", written(SMALL, "worker")],
])("%s starts a process with the flags of npm start: %s", (file, command) => {
  expect(readFileSync(`${ROOT}${file}`, "utf8")).toContain(command);
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
