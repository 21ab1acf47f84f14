import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package's files of settings, and which variable is in which, so that each process gets only its own. */

/** Only the worker's: see `webEnvironment`. */
const WORKERS = ["AUDIT_KEY", "ATTESTATIONS_DIR", "RATE_HTTP", "RATE_HTTP_FILE", "WORKER_DATABASE_URL"];
/** Only the web process's. */
const WEBS = ["AUDIT_PUBLIC_KEY", "WEB_DATABASE_URL"];
const OWNERS = ["MIGRATION_DATABASE_URL"];
/** The units decide these, or only `npm start` and the sandbox read them. */
const NOBODYS =
  /^(?:DATABASE_URL|PORT|WEB_PROCESSES|WORKER_PROCESSES|WEB_USER|WORKER_USER|DATA_DIR|CHAIN_RPC_URL|SANDBOX_HISTORY|NEXT_DEV|CALLBACK_ALLOWED_HOSTS)$/;
/** Set in the shipped file. All others are comments in it. */
const SET = ["MODE=live"];

const HEADS: Record<string, string> = {
  service: "Settings of web processes and workers alike. Read by systemd as root: chmod 0600. What each is for: .env.example.",
  web: "Settings of the web processes alone. No wallet's password, and no AUDIT_KEY.",
  worker: "Settings of the workers alone: beside these the variables that CHAINS names with passwords and PINs of wallets.",
  migrate: "The database as its owner: settlement-service migrate and each upgrade read it, and nobody else.",
};

/** Each file's text, from `.env.example`, which explains every variable. */
export function settingsFiles(root: string): Map<string, string> {
  const texts = new Map(Object.entries(HEADS).map(([name, head]) => [name, `# ${head}\n`]));
  for (const [comment, variable, value] of entries(readFileSync(join(root, ".env.example"), "utf8"))) {
    if (NOBODYS.test(variable)) continue;
    const file = WORKERS.includes(variable)
      ? "worker"
      : WEBS.includes(variable)
        ? "web"
        : OWNERS.includes(variable)
          ? "migrate"
          : "service";
    const line = `${variable}=${value}`;
    texts.set(file, `${texts.get(file)}\n${comment}\n${SET.includes(line) ? "" : "#"}${line}\n`);
  }
  return texts;
}

function entries(text: string): [comment: string, variable: string, value: string][] {
  return [...text.matchAll(/^(# .*)\n([A-Z_]+)=(.*)$/gm)].map(([, comment = "", variable = "", value = ""]) => [comment, variable, value]);
}
