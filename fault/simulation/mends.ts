import type { Patch } from "./seam.ts";

export type Mend = { name: string; family: string; defect: string; patches: readonly Patch[] };

export const MENDS: readonly Mend[] = [];

export function patchesOf(name: string): readonly Patch[] {
  const mend = MENDS.find((one) => one.name === name);
  if (mend === undefined) throw new Error(`There is no mend ${name}: choose from ${MENDS.map((one) => one.name).join(", ")}.`);
  return mend.patches;
}
