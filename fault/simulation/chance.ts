import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import type { Random } from "#fault/random.ts";

let random: Random | null = null;

/** Ids and tokens of the service's code come from a history's own chance from now on. */
export function setChance(next: Random): void {
  random = next;
}

/** For the life of this program. To be called before the service's code is loaded. */
export function simulateChance(): void {
  const digits = (count: number) => {
    if (random === null) throw new Error("no history is running");
    return random
      .below(2 ** (4 * count))
      .toString(16)
      .padStart(count, "0");
  };
  crypto.randomUUID = () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`;
  syncBuiltinESMExports();
}
