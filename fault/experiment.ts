import type { BenchServer } from "#testing/stage/database.ts";
import type { Facts } from "./checker.ts";
import type { Random } from "./random.ts";
import type { Patch } from "./simulation/seam.ts";

/** What an experiment is given. */
export type Scene = {
  /** The experiment's. */
  name: string;
  server: BenchServer;
  /** Whether the worlds pack payments. */
  packing: boolean;
  /** Rules of the service that are taken out: the run must find that. */
  taken: readonly Patch[];
  /** The table shows it with what was done. */
  note(text: string): void;
  /** All chance comes from here, so that the seed repeats it. */
  random: Random;
  /** The figure of the long form, or of the short one. */
  pick<T>(long: T, short: T): T;
  /** How many times as long as is promised things may take. */
  patience: number;
  /** One line for anyone who watches. */
  say(line: string): void;
};

/** What came of it: how much was done, and what is known afterwards. */
export type Run = { counts: string; facts: Facts };

export type Experiment = {
  name: string;
  /** What it breaks. */
  breaks: string;
  /** How it is judged, besides the rules for every run. */
  judged: string;
  /** Nothing else breaks while it runs: it promises that no request fails, and another one may keep the disk or the processors busy. */
  alone?: true;
  /** What the machine lacks for it, as a sentence: it is left out then, and refused by its name. */
  lacks?(): string | null;
  run(scene: Scene): Promise<Run>;
};
