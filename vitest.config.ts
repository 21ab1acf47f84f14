import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const maxWorkers = Math.max(2, Math.min(4, availableParallelism()));
/** Far beyond what anything takes: it ends what hangs, and judges no speed. A busy machine is no defect. */
const LIMIT = 120_000;
const never = ["**/node_modules/**", "**/.next/**", "e2e/**"];
/** It fetches Nodes and npms and installs with each of them: `npm run test:install`, and every release, not every run. */
const matrix = process.env.INSTALL_MATRIX === "1" ? [] : ["scripts/install.test.ts"];
const pure = ["domain/**/*.test.ts", "contract/**/*.test.ts", "cli/*.test.ts"];

export default defineConfig({
  test: {
    maxWorkers,
    passWithNoTests: false,
    teardownTimeout: 30_000,
    projects: [
      // What is true without any machine around it: no database is started for these.
      // Modules are loaded once by each process and not by each file: none of them keeps what another file could trip over.
      {
        test: { name: "unit", isolate: false, include: pure, exclude: never, testTimeout: LIMIT, expect: { poll: { timeout: LIMIT / 2 } } },
      },
      {
        test: {
          name: "service",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...never, ...pure, ...matrix],
          globalSetup: ["testing/global-setup.ts"],
          testTimeout: LIMIT,
          hookTimeout: LIMIT,
          expect: { poll: { timeout: LIMIT / 2 } },
        },
      },
    ],
  },
});
