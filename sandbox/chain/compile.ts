import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const require = createRequire(import.meta.url);
const FOLDER = fileURLToPath(new URL("../contracts/", import.meta.url));
const SETTINGS = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none" }, // the same source has the same address wherever it is compiled
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};

const Output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z
    .record(z.string(), z.record(z.string(), z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })))
    .optional(),
});

/**
 * The creation code of a contract, by default in `sandbox/contracts`: compiled once, then read from a cache next to the installed packages.
 */
export function bytecodeOf(file: string, contract: string, folder = FOLDER): `0x${string}` {
  const source = readFileSync(join(folder, file), "utf8");
  const key = createHash("sha256")
    .update(JSON.stringify([source, contract, SETTINGS, version("solc"), version("@openzeppelin/contracts")]))
    .digest("hex");
  const cached = join(dirname(packageFile("zod")), "..", ".cache", "settlement", `${contract}-${key.slice(0, 16)}.hex`);
  try {
    const text = readFileSync(cached, "utf8").trim();
    if (/^[0-9a-f]{100,}$/.test(text)) return `0x${text}`;
  } catch {
    // not compiled yet
  }
  const bytecode = compile(file, contract, source);
  try {
    mkdirSync(dirname(cached), { recursive: true });
    const draft = `${cached}.${process.pid}`;
    writeFileSync(draft, bytecode);
    renameSync(draft, cached);
  } catch {
    // a read-only installation compiles each time
  }
  return `0x${bytecode}`;
}

function compile(file: string, contract: string, source: string): string {
  const solc: { compile(input: string, callbacks: { import(path: string): { contents: string } }): string } = require("solc");
  const input = { language: "Solidity", sources: { [file]: { content: source } }, settings: SETTINGS };
  const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const output = Output.parse(JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })));
  const bytecode = output.contracts?.[file]?.[contract]?.evm.bytecode.object;
  if (!bytecode) throw new Error(`${contract} does not compile: ${output.errors?.map((error) => error.formattedMessage).join("\n")}`);
  return bytecode;
}

function packageFile(name: string): string {
  return require.resolve(`${name}/package.json`);
}

function version(name: string): string {
  return String(JSON.parse(readFileSync(packageFile(name), "utf8")).version);
}
