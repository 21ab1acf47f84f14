import type { ChildProcess } from "node:child_process";
import { finished } from "node:stream/promises";

/** A process that a test or a stage has started, and what becomes of it. */
export type Program = {
  child: ChildProcess;
  /** Its whole output so far, on both streams. */
  output(): string;
  stdout(): string;
  stderr(): string;
  /** Its exit code, the signal that ended it, or why it did not start; once all of its output is there. */
  exit: Promise<number | string>;
};

/** `most`: how many characters of its output are kept, the last ones. */
export function gather(child: ChildProcess, most = Number.POSITIVE_INFINITY): Program {
  const said = { output: "", stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk) => {
      for (const kept of [name, "output"] as const) said[kept] = (said[kept] + String(chunk)).slice(-most);
    });
  // Node does not say `close` of a child whose channel this process has closed, so the streams are waited for.
  const read = Promise.allSettled([child.stdout, child.stderr].flatMap((stream) => (stream === null ? [] : [finished(stream)])));
  const exit = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => void read.then(() => resolve(code ?? signal ?? "unknown")));
  });
  return { child, output: () => said.output, stdout: () => said.stdout, stderr: () => said.stderr, exit };
}
