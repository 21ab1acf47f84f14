/** What the steps of `scripts/prepare.mjs` have in common. Like them it depends on nothing and runs on Node 18. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** An error that the person at the terminal can fix: shown as one sentence, without a stack. */
export class Trouble extends Error {}

let isAlone = true;

/**
 * What computes and what waits for the network, at the same time. All of them end before this does, whatever fails, so that no program is
 * left behind.
 *
 * @param {readonly (() => Promise<void>)[]} works
 */
export async function together(works) {
  isAlone = works.length <= 1;
  const ends = await Promise.allSettled(works.map((work) => work()));
  isAlone = true;
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/**
 * Runs a long step and shows its progress, which only a step alone can do in one line. Its output is only shown when it fails.
 *
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, fix: string }} options
 */
export async function run(title, command, args, { env = process.env, cwd = ROOT, fix }) {
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const live = isAlone && process.stdout.isTTY === true;
  process.stdout.write(`  ${title} …${live ? "" : "\n"}`);
  const tick = setInterval(
    () => process.stdout.write(live ? `\r  ${title} … ${elapsed()} ` : `  ${title} … ${elapsed()}\n`),
    live ? 500 : 10_000,
  );
  let output = "";
  const code = await new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-100_000);
      });
    }
    child.once("error", (error) => {
      output += error.message;
      resolve(1);
    });
    child.once("close", (exit) => resolve(exit ?? 1));
  });
  clearInterval(tick);
  process.stdout.write(`${live ? "\r\x1b[K" : ""}  ${title}: ${code === 0 ? elapsed() : "failed"}\n`);
  if (code === 0) return;
  process.stderr.write(output);
  throw new Trouble(`${title} did not work: ${fix}.`);
}

/** @param {string} file @returns {string | null} null when it cannot be read */
export function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** @param {string | Uint8Array} content */
export function hash(content) {
  return createHash("sha256").update(content).digest("hex");
}
