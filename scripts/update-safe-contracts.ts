/**
 * `node scripts/update-safe-contracts.ts` extracts the bytecode of the Safe contracts again from the packages of their makers, into
 * `server/adapters/chain/evm/safe/artifacts`. The packages are not dependencies: only the creation code of a few contracts is needed, and it
 * never changes.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keccak256 } from "viem";
import { z } from "zod";

const TARGET = fileURLToPath(new URL("../server/adapters/chain/evm/safe/artifacts", import.meta.url));
const hex = z.templateLiteral(["0x", z.string().regex(/^[0-9a-f]+$/)]);
const Artifact = z.object({ contractName: z.string(), bytecode: hex, deployedBytecode: hex });

/** `creation: false`: only known by the hash of its code, never deployed by this service. */
type Wanted = { path: string; creation: boolean };
const RELEASES: readonly { version: string; package: string; contracts: Record<string, Wanted> }[] = [
  {
    version: "1.3.0",
    package: "@gnosis.pm/safe-contracts@1.3.0",
    contracts: {
      master_copy: { path: "GnosisSafe.sol/GnosisSafe", creation: true },
      master_copy_l2: { path: "GnosisSafeL2.sol/GnosisSafeL2", creation: false },
      proxy_factory: { path: "proxies/GnosisSafeProxyFactory.sol/GnosisSafeProxyFactory", creation: true },
      fallback_handler: { path: "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler", creation: true },
      proxy: { path: "proxies/GnosisSafeProxy.sol/GnosisSafeProxy", creation: true },
    },
  },
  {
    version: "1.4.1",
    package: "@safe-global/safe-contracts@1.4.1",
    contracts: {
      master_copy: { path: "Safe.sol/Safe", creation: true },
      master_copy_l2: { path: "SafeL2.sol/SafeL2", creation: false },
      proxy_factory: { path: "proxies/SafeProxyFactory.sol/SafeProxyFactory", creation: true },
      fallback_handler: { path: "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler", creation: true },
      proxy: { path: "proxies/SafeProxy.sol/SafeProxy", creation: true },
    },
  },
];

for (const release of RELEASES) {
  const folder = mkdtempSync(join(tmpdir(), "safe-contracts-"));
  try {
    const archive = run("npm", ["pack", "--silent", release.package], folder).trim();
    run("tar", ["xzf", archive], folder);
    const contracts = Object.entries(release.contracts).map(([name, { path, creation }]) => {
      const file = join(folder, "package", "build", "artifacts", "contracts", `${path}.json`);
      const { contractName, bytecode, deployedBytecode } = Artifact.parse(JSON.parse(readFileSync(file, "utf8")));
      const codeHash = keccak256(deployedBytecode);
      return [name, { contractName, codeHash, ...(creation ? { creationCode: bytecode } : {}) }];
    });
    const content = { source: release.package, license: "LGPL-3.0-only", version: release.version, ...Object.fromEntries(contracts) };
    writeFileSync(join(TARGET, `safe-${release.version}.json`), `${JSON.stringify(content, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  const result = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${result.stderr}`);
  return result.stdout;
}
