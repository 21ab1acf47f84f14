import process from "node:process";
import { runSettle } from "./run.ts";

/** `npx settle`: a partner's program at the terminal. */
const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ended.abort());
// Started by cli/settle.mjs: without it nobody is left who could end us.
process.once("disconnect", () => ended.abort());
process.channel?.unref();
// The reader of our output has closed it (`settle … | head`): not an error.
process.stdout.on("error", () => process.exit(0));

process.exitCode = await runSettle(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: ended.signal,
});
