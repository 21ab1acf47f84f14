import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const maxWorkers = Math.max(2, Math.min(4, availableParallelism()));
const never = ["**/node_modules/**", "**/.next/**", "e2e/**"];
const pure = ["server/domain/**/*.test.ts", "server/contract/**/*.test.ts"];

export default defineConfig({
  test: {
    maxWorkers,
    passWithNoTests: false,
    teardownTimeout: 30_000,
    projects: [
      // What is true without any machine around it: no database is started for these.
      { test: { name: "unit", include: pure, exclude: never, testTimeout: 20_000 } },
      {
        test: {
          name: "service",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: [...never, ...pure],
          globalSetup: ["server/testing/global-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
