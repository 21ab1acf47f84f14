#!/usr/bin/env node
/**
 * `npx settle`: starts the command line on the Node that comes with the packages, whatever Node the machine has. It depends on nothing and
 * runs on Node 18.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findNode } from "../scripts/prepare/runtime.mjs";
import { ROOT, readText, Trouble } from "../scripts/prepare/step.mjs";
import { onEndOfNpx } from "./npx.mjs";

function start() {
  if (!existsSync(join(ROOT, "node_modules", "zod")))
    throw new Trouble('The packages are not installed yet: run "npm start" once in the project\'s folder, or "node scripts/prepare.mjs".');
  const node = findNode(JSON.parse(readText(join(ROOT, "package-lock.json")) ?? "{}"));
  // The channel carries nothing. It closes as soon as this process ends, however that happens. The child ends with it (cli/main.ts), and
  // its exit code is passed on.
  const child = spawn(node, [join(ROOT, "cli", "main.ts"), ...process.argv.slice(2)], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const end = () => (child.connected ? child.disconnect() : child.kill("SIGKILL"));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  onEndOfNpx(process.env, end);
  child.once("error", (error) => fail(error));
  child.once("close", (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
}

function fail(error) {
  process.stderr.write(`${error instanceof Trouble ? error.message : error.stack}\n`);
  process.exit(2);
}

try {
  start();
} catch (error) {
  fail(error);
}
