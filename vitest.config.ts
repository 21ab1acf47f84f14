import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Twice as many as two cores: much of the time of a test is waiting. */
const maxWorkers = 4;
/** Far beyond what anything takes: it ends what hangs, and judges no speed. A busy machine is no defect. */
const LIMIT = 300_000;
const never = ["**/node_modules/**", "**/.next/**", "e2e/**"];
/** It fetches Nodes and npms and installs with each of them: `npm run test:install`, and every release, not every run. */
const matrix = process.env.INSTALL_MATRIX === "1" ? [] : ["scripts/install.test.ts"];
/** They need packages of Debian's: `npm run test:providers`, and every release. */
const providers = process.env.REAL_PROVIDERS === "1" ? [] : ["server/auth/providers/**"];
/** They need an installed Citus: `npm run test:citus`, and every release. */
const citus = process.env.DATABASE_LAYOUT === "citus" ? [] : ["testing/citus/**"];
/** They count questions and estimates that Hardhat's engine answers otherwise: it plays no whole transaction ahead. */
const packing =
  process.env.CHAIN_ENGINE === "hardhat" ? ["server/engines/payments/**/pack*.test.ts", "server/adapters/chain/evm/packing/**"] : [];
const pure = ["domain/**/*.test.ts", "contract/**/*.test.ts", "cli/*.test.ts"];
/** What looks at what a process is as a whole: its figures and traces, what it remembers, how often it asks the database, how it ends. */
const apart = [
  ...["server/observe", "server/process", "server/worker", "server/http", "testing"].map((folder) => `${folder}/**/*.test.ts`),
  ...["round-trips", "concurrent-confirm", "nonce-reservation", "screened-confirm"].map((name) => `server/rest/${name}.test.ts`),
  "server/rest/system-surface.test.ts",
  "server/rest/troubles.test.ts",
  "db/client.test.ts",
];
/** Each test file works on a database of its own, a clone of what this makes. */
const withDatabase = {
  globalSetup: ["testing/global-setup.ts"],
  setupFiles: ["testing/late-use.ts"],
  testTimeout: LIMIT,
  hookTimeout: LIMIT,
  expect: { poll: { timeout: LIMIT / 2 } },
};

/** By far the longest. A fresh clone knows no durations, and would run them last and alone. */
const longest = [
  "server/rest/whole-or-nothing.test.ts",
  "fault/simulation/simulation.test.ts",
  "scripts/start-live.test.ts",
  "server/services/ledger/thousand-operations.test.ts",
  "server/engines/safe-deployments/deployments.test.ts",
  "server/engines/payments/packs.test.ts",
  "scripts/books.test.ts",
  "fault/crash-points.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    maxWorkers,
    // Fewer collections of short-lived objects: a twentieth of a worker's CPU.
    execArgv: ["--max-semi-space-size=32"],
    sequence: { sequencer: LongestFirst },
    passWithNoTests: false,
    teardownTimeout: 30_000,
    projects: [
      // What is true without any machine around it: no database is started for these.
      // Modules are loaded once by each process and not by each file: none of them keeps what another file could trip over.
      {
        test: { name: "unit", isolate: false, include: pure, exclude: never, testTimeout: LIMIT, expect: { poll: { timeout: LIMIT / 2 } } },
      },
      // As many files as come share a process and its modules, as requests and duties do in a running service.
      {
        test: {
          ...withDatabase,
          name: "service",
          isolate: false,
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...never, ...pure, ...matrix, ...providers, ...packing, ...apart],
        },
      },
      { test: { ...withDatabase, name: "apart", include: apart, exclude: [...never, ...citus] } },
    ],
  },
});
