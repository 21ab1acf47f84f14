/**
 * Builds the one C++ package: the driver for tokens (PKCS#11). Installations without tokens need no compiler. The headers come with the
 * Node among the packages, so nothing is downloaded.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { npmOn } from "./packages.mjs";
import { ROOT, run, Trouble } from "./step.mjs";
import { installFromDebian, mayUseApt } from "./tools.mjs";

const PACKAGE = join(ROOT, "node_modules", "pkcs11js");
const TOOLS = ["g++", "make", "python3"];

/** @param {string} node the Node that it is built for */
export async function buildPkcs11(node) {
  if (!existsSync(PACKAGE))
    throw new Trouble("pkcs11js is not installed (npm leaves it out where it cannot build it): npm ci --ignore-scripts, then this again.");
  if (loads(node)) return;
  const lacking = TOOLS.filter((tool) => spawnSync(tool, ["--version"]).status !== 0);
  if (lacking.length > 0 && mayUseApt()) await installFromDebian("a compiler", TOOLS.join(" "));
  const npm = npmOn(node);
  const headers = dirname(dirname(node));
  const carried = existsSync(join(headers, "include", "node", "node_api.h")) ? { npm_config_nodedir: headers } : {};
  const env = { ...process.env, ...carried, PATH: `${dirname(node)}:${process.env.PATH}` };
  await run("Building what speaks to tokens", npm.command, [...npm.args, "rebuild", "pkcs11js", "--ignore-scripts=false"], {
    env,
    fix: `see above; it wants ${TOOLS.join(", ")}`,
  });
  if (!loads(node)) throw new Trouble("pkcs11js was built and does not load: remove node_modules/pkcs11js/build and start again.");
}

function loads(node) {
  return spawnSync(node, ["-e", "require('pkcs11js')"], { cwd: ROOT }).status === 0;
}
