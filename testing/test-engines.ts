/**
 * `npm run test:engines`: what pays on a chain (the payments, the Safes, the signer, the books), on each engine of test chains that differs from
 * the one of `npm test`: Hardhat's, which enforces a tenth more for a replacement, and anvil as an OP Stack chain. Then the experiments
 * `crash-points` and `lying-node` in their short forms. `-- --engine hardhat`: on that one. Part of a release, not of `npm test`.
 */
import { parseArgs } from "node:util";
import { type Outcome, runShown, runVitest } from "#scripts/suites.ts";

const ENGINES = ["hardhat", "optimism"];
const PATHS = [
  "server/engines",
  "server/signer",
  "server/services/ledger",
  "server/services/treasury",
  "server/adapters/chain",
  "testing/chain.test.ts",
];
const EXPERIMENTS = ["fault/main.ts", "--only", "crash-points,lying-node", "--short", "--seed", "1"];

async function runOn(engine: string): Promise<Outcome[]> {
  const env = { CHAIN_ENGINE: engine };
  const tests = await runVitest(PATHS, `Money on ${engine}`, env);
  const code = await runShown(EXPERIMENTS, env);
  return [...tests, { name: `Experiments on ${engine}`, passed: code === 0 ? 2 : 0, failed: code === 0 ? 0 : 1, remark: null }];
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { engine: { type: "string" } } });
  const wanted = values.engine === undefined ? ENGINES : [values.engine];
  if (!wanted.every((engine) => ENGINES.includes(engine))) {
    process.stderr.write(`Usage: npm run test:engines -- [--engine ${ENGINES.join("|")}]\n`);
    return 2;
  }
  const outcomes: Outcome[] = [];
  for (const engine of wanted) outcomes.push(...(await runOn(engine)));
  for (const { name, passed, failed, reds } of outcomes) {
    process.stdout.write(`  ${name}: ${passed} passed, ${failed} failed\n`);
    for (const red of reds ?? []) process.stdout.write(`    ✘ ${red}\n`);
  }
  return outcomes.every(({ failed, passed }) => failed === 0 && passed > 0) ? 0 : 1;
}

process.exitCode = await main();
