import { expect, inject, it } from "vitest";
import { benchServerOn } from "#testing/stage/database.ts";
import { judge } from "./checker.ts";
import { crashPoints } from "./experiments/crash-points.ts";
import { seeded } from "./random.ts";

/** All pairs: `npm run fault -- --only crash-points`. */
const seed = process.env.SEED ?? String(Math.floor(Math.random() * 1_000_000));
/** Every other seed packs payments. */
const packing = Number(seed) % 2 === 1;
/** It ends what hangs. */
const LIMIT_MS = 900_000;

it(`every step of every engine may be a worker's last, alone and before or after another (SEED=${seed})`, {
  timeout: LIMIT_MS,
}, async () => {
  const server = benchServerOn({ adminUrl: inject("testServer").adminUrl, stop: async () => {} }, { dropRoles: true });
  try {
    const { name } = crashPoints;
    const scene = { name, server, random: seeded(`${seed} ${name}`), patience: 1, packing, taken: [], say: () => {}, note: () => {} };
    const { facts } = await crashPoints.run({ ...scene, pick: (_long, short) => short });
    expect(judge(facts).flatMap(({ rule, violations }) => violations.map((violation) => `${rule}: ${violation}`))).toEqual([]);
  } finally {
    await server.stop();
  }
});
