import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Job, Tally } from "./job.ts";

const GENERATOR = fileURLToPath(new URL("./generator.ts", import.meta.url));

/** Runs one generator to its end. @throws when it ends without an answer; what it said stands on standard error. */
export function load(job: Job): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const child = fork(GENERATOR);
    let tally: Tally | null = null;
    child.once("message", (message) => {
      tally = Tally.parse(message);
    });
    child.once("exit", (code) => (tally === null ? reject(new Error(`the generator ended with ${code}`)) : resolve(tally)));
    child.send(job);
  });
}
