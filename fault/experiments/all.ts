import type { Experiment } from "#fault/experiment.ts";
import { kills } from "./kills.ts";

/** Every experiment, in the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = [kills];
