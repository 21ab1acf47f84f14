import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const require = createRequire(import.meta.url);
const SOURCE = fileURLToPath(new URL("../contracts/TestToken.sol", import.meta.url));
const SETTINGS = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none" }, // the same source has the same address wherever it is compiled
  outputSelection: { "*": { TestToken: ["evm.bytecode.object"] } },
};

const Output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z
    .object({ "TestToken.sol": z.object({ TestToken: z.object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) }) }) })
    .optional(),
});

/** The test token's creation code: compiled once, then read from a cache beside the installed packages. */
export function testTokenBytecode(): `0x${string}` {
  const source = readFileSync(SOURCE, "utf8");
  const key = createHash("sha256")
    .update(JSON.stringify([source, SETTINGS, version("solc"), version("@openzeppelin/contracts")]))
    .digest("hex");
  const cached = join(dirname(packageFile("zod")), "..", ".cache", "settlement", `test-token-${key.slice(0, 16)}.hex`);
  try {
    const text = readFileSync(cached, "utf8").trim();
    if (/^[0-9a-f]{1000,}$/.test(text)) return `0x${text}`;
  } catch {
    // not compiled yet
  }
  const bytecode = compile(source);
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

function compile(source: string): string {
  const solc: { compile(input: string, callbacks: { import(path: string): { contents: string } }): string } = require("solc");
  const input = { language: "Solidity", sources: { "TestToken.sol": { content: source } }, settings: SETTINGS };
  const readImport = (path: string) => ({ contents: readFileSync(require.resolve(path), "utf8") });
  const output = Output.parse(JSON.parse(solc.compile(JSON.stringify(input), { import: readImport })));
  const bytecode = output.contracts?.["TestToken.sol"].TestToken.evm.bytecode.object;
  if (!bytecode) throw new Error(`the test token does not compile: ${output.errors?.map((error) => error.formattedMessage).join("\n")}`);
  return bytecode;
}

function packageFile(name: string): string {
  return require.resolve(`${name}/package.json`);
}

function version(name: string): string {
  return String(JSON.parse(readFileSync(packageFile(name), "utf8")).version);
}
