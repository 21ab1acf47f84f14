/**
 * Loaded before a worker or a signer (`--import`). `?patches=`: a file with patches of the service's own source, as of a mutant. `?note=`: a
 * file that names a step; the process that reaches it kills itself there, and takes the note away.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { registerHooks } from "node:module";
import { type Patch, patchedSource } from "#fault/simulation/seam.ts";

type Note = { step: string; nth: number };

const { searchParams } = new URL(import.meta.url);
const [patchFile, note] = [searchParams.get("patches") ?? "", searchParams.get("note") ?? ""];
const patches = JSON.parse(readFileSync(patchFile, "utf8")) as Patch[];
let seen = 0;

registerHooks({
  load(url, context, next) {
    const source = patchedSource(url, patches);
    return source === null ? next(url, context) : { format: "module-typescript", source, shortCircuit: true };
  },
});

Object.assign(globalThis, {
  reachStep(step: string): void {
    if (note === "" || !existsSync(note)) return;
    const wanted = JSON.parse(readFileSync(note, "utf8")) as Note;
    if (wanted.step !== step || ++seen < wanted.nth) return;
    rmSync(note, { force: true });
    process.kill(process.pid, "SIGKILL");
    // Nothing more happens in this process, however long the signal takes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
