import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "#sandbox/free-port.ts";
import { startGuarded } from "#sandbox/guarded-process.ts";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "./certificate.ts";

export type ProxyKind = "nginx" | "haproxy";
export type Proxy = { /** Takes TLS on every address of this machine, with `TEST_CERTIFICATE`. */ port: number; stop(): Promise<void> };

const ops = (name: string) => readFileSync(fileURLToPath(new URL(`../ops/proxy/${name}`, import.meta.url)), "utf8");

/** The machine's program. @throws Error where it is not installed */
export function proxyProgram(kind: ProxyKind): string {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const found = folders.map((folder) => join(folder, kind)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${kind} is not installed: \`npm test\` sees to it, or \`apt-get install ${kind}\`.`);
  return found;
}

/**
 * Other values for placeholders of the operator: each is in the file exactly once, or the test would use another file than operators do.
 */
function placed(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((before, [from, to]) => {
    if (before.split(from).length !== 2) throw new Error(`the file of ops/proxy does not say "${from}" once`);
    return before.replace(from, to);
  }, text);
}

function writeNginx(folder: string, port: number, web: readonly [number, number]): string[] {
  writeFileSync(join(folder, "certificate.pem"), TEST_CERTIFICATE);
  writeFileSync(join(folder, "key.pem"), TEST_CERTIFICATE_KEY);
  const site = placed(ops("nginx.conf"), {
    "listen 443 ": `listen ${port} `,
    "127.0.0.1:3000 ": `127.0.0.1:${web[0]} `,
    "127.0.0.1:3001 ": `127.0.0.1:${web[1]} `,
    "/etc/nginx/tls/certificate.pem": `${folder}/certificate.pem`,
    "/etc/nginx/tls/key.pem": `${folder}/key.pem`,
  });
  writeFileSync(join(folder, "site.conf"), site);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const main = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { ${places} include ${folder}/site.conf; }\n`;
  writeFileSync(join(folder, "nginx.conf"), main);
  return ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")];
}

function writeHaproxy(folder: string, port: number, web: readonly [number, number]): string[] {
  writeFileSync(join(folder, "settlement.pem"), `${TEST_CERTIFICATE}${TEST_CERTIFICATE_KEY}`);
  const file = placed(ops("haproxy.cfg"), {
    "bind :443 ": `bind :${port} `,
    "web-1 127.0.0.1:3000": `web-1 127.0.0.1:${web[0]}`,
    "web-2 127.0.0.1:3001": `web-2 127.0.0.1:${web[1]}`,
    "/etc/haproxy/settlement.pem": `${folder}/settlement.pem`,
    "log /dev/log local0": "log stderr format raw local0",
  });
  writeFileSync(join(folder, "haproxy.cfg"), file);
  return ["-db", "-f", join(folder, "haproxy.cfg")];
}

/** The machine's nginx or HAProxy with the file of `ops/proxy`, before two web processes. Its own check of the file comes first. */
export async function startProxy(kind: ProxyKind, web: readonly [number, number]): Promise<Proxy> {
  const command = proxyProgram(kind);
  const folder = mkdtempSync(join(tmpdir(), `settlement-${kind}-`));
  chmodSync(folder, 0o711); // nginx's workers pass through
  const port = await findFreePort();
  const args = (kind === "nginx" ? writeNginx : writeHaproxy)(folder, port, web);
  const checked = spawnSync(command, [kind === "nginx" ? "-t" : "-c", ...args], { encoding: "utf8" });
  const said = `${checked.stdout}${checked.stderr}`;
  if (checked.status !== 0 || /\bwarn|\balert/i.test(said)) throw new Error(`${kind} does not take its file: ${said}`);
  const log = openSync(join(folder, "log"), "a");
  const program = startGuarded({ command, args, endSignal: "TERM", log });
  closeSync(log);
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + 30_000;
  while (!(await isOpen(port))) {
    if (program.ended() !== null || Date.now() > deadline) {
      const text = readFileSync(join(folder, "log"), "utf8");
      await stop();
      throw new Error(`${kind} did not start: ${text}`);
    }
    await sleep(50);
  }
  return { port, stop };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
