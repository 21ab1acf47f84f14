import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Patch } from "./simulation/seam.ts";

/** Processes of the service whose source was altered before they started, so that they die where somebody wants it. */

const PROGRAM = new URL("./altered-source.ts", import.meta.url).href;
const REACH = "(globalThis as any).reachStep?.";

/** The signer's steps: it has signed, is about to write to its journal, and has written. */
export const SIGNER_STEPS = ["signer_signed", "signer_admits", "signer_admitted"] as const;

/** The places in the source where a process may be asked to die: at each step of the payments that lapse, and at the signer's. */
export const STEP_PATCHES: readonly Patch[] = [
  {
    file: "server/engines/lapsing/engine.ts",
    is: "step: (step, transferId) => observe?.(step, transferId),",
    was: `step: (step) => ${REACH}(step),`,
  },
  at("server/signer/lapsing/sign-lapsing.ts", "const { after, expiry, feeAtMost, bytes } = unsigned;", "signer_signed"),
  at("server/signer/lapsing/admit-lapsing.ts", "const answer = await admit(desk, state, { transferId, entry });", "signer_admits"),
  at("server/signer/lapsing/admit-lapsing.ts", "const own = desk.fresh.get(entry.id);", "signer_admitted"),
];

function at(file: string, is: string, step: (typeof SIGNER_STEPS)[number]): Patch {
  return { file, is, was: `${REACH}("${step}"); ${is}` };
}

/** `env`: of workers and signers. `die`: the next one that reaches the step, that often, is killed there. */
export type Altered = {
  env: Readonly<Record<string, string>>;
  die(step: string, nth?: number): void;
  /** Whether nobody has reached it yet. */
  isAwaited(): boolean;
  forget(): void;
  stop(): void;
};

/** `patches`: rules that are taken out as well. */
export function alterSource(patches: readonly Patch[] = []): Altered {
  const folder = mkdtempSync(join(tmpdir(), "settlement-altered-"));
  const [list, note] = [join(folder, "patches.json"), join(folder, "note.json")];
  writeFileSync(list, JSON.stringify([...STEP_PATCHES, ...patches]));
  return {
    env: { NODE_OPTIONS: `--import=${PROGRAM}?patches=${list}&note=${note}` },
    die: (step, nth = 1) => writeFileSync(note, JSON.stringify({ step, nth })),
    isAwaited: () => existsSync(note),
    forget: () => rmSync(note, { force: true }),
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
