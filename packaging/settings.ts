import { readFileSync } from "node:fs";
import { join } from "node:path";
import { READERS } from "#server/config/readers.ts";

/** The package's files of settings, and which variable is in which, so that each process gets only its own. */

/** The worker derives it from its own key. */
const WEBS = ["AUDIT_PUBLIC_KEY"];
/** The signer alone reads them. */
const SIGNERS = ["ACCEPTED_RULES", "SIGNER_CAPS", "SIGNER_DATABASE_URL", "SIGNING_JOURNAL", "TRUSTED_PASSKEYS"];
/** The units decide these, or only `npm start` and the sandbox read them. */
const NOBODYS =
  /^(?:DATABASE_URL|PORT|WEB_PROCESSES|WORKER_PROCESSES|WEB_USER|WORKER_USER|SIGNER_USER|SIGNER_SOCKET|DATA_DIR|CHAIN_RPC_URL|SANDBOX_HISTORY|NEXT_DEV|CALLBACK_ALLOWED_HOSTS)$/;
/** Set in the shipped file. All others are comments in it. */
const SET = ["MODE=live"];

const HEADS: Record<string, string> = {
  service: "Settings of web processes, workers and the signer alike. Read by systemd as root: chmod 0600. What each is for: .env.example.",
  web: "Settings of the web processes alone. No wallet's password, no AUDIT_KEY, nothing that orders from the fiat provider.",
  worker: "Settings of the workers alone. Nothing that opens a wallet's key.",
  signer:
    "Settings of the signer alone: in addition to these, the variables that CHAINS names with passwords and PINs of wallets, and AWS_….",
  migrate: "The database as its owner: settlement-service migrate and each upgrade read it, and no other process.",
};

/** Each file's text, from `.env.example`, which explains every variable. */
export function settingsFiles(root: string): Map<string, string> {
  const texts = new Map(Object.entries(HEADS).map(([name, head]) => [name, `# ${head}\n`]));
  for (const [comment, variable, value] of entries(readFileSync(join(root, ".env.example"), "utf8"))) {
    if (NOBODYS.test(variable)) continue;
    const reader = SIGNERS.includes(variable) ? "signer" : WEBS.includes(variable) ? "web" : READERS[variable as keyof typeof READERS];
    const file = { web: "web", worker: "worker", signer: "signer", start: "migrate", both: "service" }[reader];
    const line = `${variable}=${value}`;
    texts.set(file, `${texts.get(file)}\n${comment}\n${SET.includes(line) ? "" : "#"}${line}\n`);
  }
  return texts;
}

function entries(text: string): [comment: string, variable: string, value: string][] {
  return [...text.matchAll(/^(# .*)\n([A-Z_]+)=(.*)$/gm)].map(([, comment = "", variable = "", value = ""]) => [comment, variable, value]);
}
