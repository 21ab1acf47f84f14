import postgres from "postgres";
import type { Machine } from "./machine.ts";

/** What one process may not have of another's, tried on the machine of the packages. */

function must(held: boolean, sentence: string): void {
  if (!held) throw new Error(sentence);
}

const kindOf = (unit: string) => /^settlement-(\w+)/.exec(unit)?.[1] ?? "";
const pidOf = async (machine: Machine, unit: string) => (await machine.run(["systemctl", "show", "--value", "-p", "MainPID", unit])).trim();

/** Each process runs as its own user, and gets its own secrets, as its environment says. */
export async function expectApart(machine: Machine, units: readonly string[], passwords: readonly string[]): Promise<void> {
  for (const unit of units) {
    const pid = await pidOf(machine, unit);
    const environment = await machine.run(["cat", `/proc/${pid}/environ`]);
    const uid = (await machine.run(["stat", "-c", "%U", `/proc/${pid}`])).trim();
    const kind = kindOf(unit);
    must(uid === `settlement-${kind}`, `${unit} runs as ${uid}`);
    for (const password of passwords) must(!environment.includes(password), `${unit} has a secret in its environment`);
    const handed = await machine.run(["ls", `/run/credentials/${unit}.service`]);
    must(handed.includes("own_TREASURY_PASSWORD") === (kind === "signer"), `${unit} is handed the signer's secret, or the signer is not`);
    must(!environment.includes("MIGRATION_DATABASE_URL"), `${unit} has the owner's log-in`);
  }
}

/** What opens a wallet, and what says and seals what was signed. */
const SIGNERS_OWN = [
  "/var/lib/settlement-service/keys/treasury.json",
  "/var/lib/settlement-signer/signing-journal.log",
  "/var/lib/settlement-signer/signing-journal.log.seal",
];
const SECRET = "/etc/settlement-service/secrets/signer/TREASURY_PASSWORD";
const SOCKET = "/run/settlement-signer/signer.sock";
const NODE = "/usr/lib/settlement-releases/current/bin/node";
/** Reads each file, and connects to the socket: what came of it, as JSON. */
const TRY = `
const { readFileSync } = require("node:fs");
const [socket, ...files] = process.argv.slice(1);
const attempt = (work) => { try { work(); return "done"; } catch (error) { return error.code; } };
const read = files.map((file) => attempt(() => readFileSync(file)));
const say = (reached) => { console.log(JSON.stringify({ read, reached })); process.exit(0); };
require("node:net").connect(socket).on("connect", () => say("done")).on("error", (error) => say(error.code));`;

/**
 * Tries, with the very user and groups of each running process, to read what is the signer's alone and to reach its socket. It does so outside
 * of the process's unit: modes and owners decide alone, and the unit's own walls come on top. The signer's log-in writes nothing.
 */
export async function expectOnlyTheSigner(machine: Machine, units: readonly string[], ownerUrl: string): Promise<void> {
  const users = new Map<string, string>();
  for (const unit of units) {
    const status = await machine.run(["cat", `/proc/${await pidOf(machine, unit)}/status`]);
    const [uid = "", gid = ""] = [/^Uid:\s+(\d+)/m, /^Gid:\s+(\d+)/m].map((line) => line.exec(status)?.[1]);
    const groups = /^Groups:\s*(.*?)\s*$/m.exec(status)?.[1]?.split(/\s+/).filter(Boolean) ?? [];
    const kind = kindOf(unit);
    users.set(kind, uid);
    const as = ["setpriv", "--reuid", uid, "--regid", gid, ...(groups.length > 0 ? ["--groups", groups.join(",")] : ["--clear-groups"])];
    const tried = JSON.parse(await machine.run([...as, NODE, "-e", TRY, SOCKET, ...SIGNERS_OWN, SECRET]));
    const isSigner = kind === "signer";
    const own = isSigner ? "done" : "EACCES";
    const expected = { read: [...SIGNERS_OWN.map(() => own), "EACCES"], reached: kind === "web" ? "EACCES" : "done" };
    must(JSON.stringify(tried) === JSON.stringify(expected), `as ${unit} (user ${uid}): ${JSON.stringify(tried)}`);
  }
  must(new Set(users.values()).size === 3 && ![...users.values()].includes("0"), `users: ${JSON.stringify([...users])}`);
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  try {
    const logins = await owner<{ name: string; usename: string; writable: number }[]>`
      select a.name, a.usename,
        (select count(*)::int from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
          and has_table_privilege(a.usename, c.oid, 'insert, update, delete, truncate')) as writable
      from (select distinct application_name as name, usename::text from pg_stat_activity where application_name ~ '^settlement-(web|worker|signer)') a`;
    const ofSigner = logins.filter(({ name }) => name.startsWith("settlement-signer"));
    const others = logins.filter(({ name }) => !name.startsWith("settlement-signer"));
    must(ofSigner.length === 1 && ofSigner[0]?.writable === 0, `the signer's log-in: ${JSON.stringify(logins)}`);
    must(others.length > 1 && others.every(({ usename }) => usename !== ofSigner[0]?.usename), `log-ins: ${JSON.stringify(logins)}`);
  } finally {
    await owner.end();
  }
}
