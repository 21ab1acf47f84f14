import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FROM = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

/** Every file and package that those files lead to, however far and however late it would be loaded. */
function reachedFrom(starts: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...starts];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const path = join(ROOT, file);
    if (!existsSync(path) || !/\.tsx?$/.test(file)) continue;
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(FROM)) {
      if (name.startsWith("#")) waiting.push(name.slice(1));
      else if (name.startsWith(".")) waiting.push(relative(ROOT, resolve(dirname(path), name)));
      else waiting.push(name);
    }
  }
  return reached;
}

const isSigning = (name: string) => name.startsWith("server/adapters/signer/") || /^(pkcs11js|@aws-sdk\/)/.test(name);

it("nothing that the web process or a worker can load has the code of a signer in it, or leads to it", () => {
  const pages = readdirSync(join(ROOT, "app"), { recursive: true, encoding: "utf8" });
  const starts = [
    "server/http/main.ts",
    "instrumentation.ts",
    "proxy.ts",
    ...pages.filter((name) => /\.tsx?$/.test(name)).map((name) => `app/${name}`),
  ];
  const web = reachedFrom(starts);
  expect(web.size).toBeGreaterThan(500);
  const worker = reachedFrom(["server/worker/main.ts"]);
  expect([...web, ...worker].filter(isSigning)).toEqual([]);
  // Were it there, it would be seen: the signer has all of it.
  const signer = [...reachedFrom(["server/signer/main.ts"])].filter(isSigning);
  expect(signer).toEqual(expect.arrayContaining(["server/adapters/signer/open-signers.ts", "@aws-sdk/client-kms"]));
});
