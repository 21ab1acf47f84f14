import { SANDBOX_FAMILIES } from "#server/config/sandbox-chains.ts";
import { playBatch } from "./batch.ts";
import { playFamily } from "./family.ts";
import { playFiat } from "./fiat.ts";
import { findSandbox, heading, type Surroundings, say } from "./narrator.ts";
import { playSettlement } from "./settlement.ts";

/** `npm run demo [-- scene]` against a running sandbox. Exits with 0 only if every step of the scene succeeded. */
const SCENES: Record<string, (surroundings: Surroundings) => Promise<void>> = {
  settlement: playSettlement,
  fiat: playFiat,
  batch: playBatch,
  ...Object.fromEntries(SANDBOX_FAMILIES.map((family) => [family, playFamily(family)])),
};

async function main(scene: string): Promise<void> {
  const play = Object.hasOwn(SCENES, scene) ? SCENES[scene] : undefined;
  if (play === undefined) throw new Error(`There is no scene "${scene}"; there is ${Object.keys(SCENES).join(", ")}.`);
  const startedAt = performance.now();
  await play(await findSandbox());
  heading(`All of it happened, in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
}

try {
  await main(process.argv[2] ?? "settlement");
} catch (error) {
  say();
  say(`The demo ended here: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
