import { readFileSync } from "node:fs";
import { publicHalfOf } from "#domain/audit-key.ts";
import { DATABASE_VARIABLES, databaseUrlsOf } from "#server/config/database-urls.ts";
import { reads } from "#server/config/readers.ts";

type Environment = NodeJS.ProcessEnv;

/** What every program needs of the environment: paths of programs and temporary files, languages, certificates, proxies. */
const MACHINE =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TMP|TEMP|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LD_[A-Z_]+|SYSTEMROOT|WINDIR|NODE_[A-Z_]+|NEXT_TELEMETRY_DISABLED|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO)_PROXY|PG[A-Z_]+)$/i;

/**
 * The web process's environment. It faces the internet and signs nothing, so it gets neither a wallet's password nor the signers, nor what
 * orders payouts or sends mail. It is an allow-list, so that nothing new gets in by itself.
 */
export function webEnvironment(env: Environment): Environment {
  const kept = pick(env, (name) => isFor("web", name));
  return {
    ...kept,
    ...databaseUrlsOf("web", env),
    ...auditPublicKey(env),
    ...(env.CHAINS === undefined ? {} : { CHAINS: withoutWallets(env.CHAINS) }),
    ...(env.FIAT_RAIL_FORMER === undefined ? {} : { FIAT_RAIL_FORMER: withoutOrders(env.FIAT_RAIL_FORMER) }),
  };
}

/** The public half of the worker's signing key. The worker reports an invalid one. */
function auditPublicKey({ AUDIT_KEY = "", AUDIT_PUBLIC_KEY = "" }: Environment): { AUDIT_PUBLIC_KEY?: string } {
  const secret = Buffer.from(AUDIT_KEY, "base64");
  if (AUDIT_PUBLIC_KEY.trim() !== "" || secret.length !== 32) return {};
  return { AUDIT_PUBLIC_KEY: publicHalfOf(secret).toString("base64") };
}

/** The worker's environment: what it reads, and what its rate sources name. Never what opens a wallet's key, nor who signs. */
export function workerEnvironment(env: Environment): Environment {
  const { SIGNING_JOURNAL: _, ...kept } = withNamed(env, "worker", [env.RATE_HTTP, contentOf(env.RATE_HTTP_FILE)]);
  return { ...kept, ...(env.CHAINS === undefined ? {} : { CHAINS: withoutWallets(env.CHAINS) }) };
}

/** The signer's environment: what it reads, what its wallets name, and nothing else of the service. */
export function signerEnvironment(env: Environment): Environment {
  return withNamed(env, "signer", [env.CHAINS, contentOf(env.CHAINS_FILE)]);
}

/** What a process reads, what its settings name, and with a key in AWS what its SDK reads. */
function withNamed(env: Environment, process: "worker" | "signer", settings: readonly (string | undefined)[]): Environment {
  const named = new Set(settings.flatMap(namesIn));
  const inCloud = settings.some(namesKms);
  const kept = pick(env, (name) => isFor(process, name) || named.has(name) || (inCloud && name.startsWith("AWS_")));
  return { ...kept, ...databaseUrlsOf(process, env) };
}

/** Each process gets its own log-in, under the names that `databaseUrlsOf` gives. */
function isFor(process: "web" | "worker" | "signer", name: string): boolean {
  return (reads(process, name) && !DATABASE_VARIABLES.includes(name)) || MACHINE.test(name);
}

function pick(env: Environment, isKept: (name: string) => boolean): Environment {
  return { NODE_ENV: env.NODE_ENV, ...Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name))) };
}

/** The members of the settings that name variables. */
const NAMING = ["password_env", "pin_env", "env", "library_env"];

/** The names under them, however deep. */
function namesIn(json: string | undefined): string[] {
  const names: string[] = [];
  parse(json, (key, value) => {
    if (NAMING.includes(key)) names.push(...[value].flat().filter((name) => typeof name === "string"));
    return value;
  });
  return names;
}

/** Whether a wallet's key is with AWS. */
function namesKms(json: string | undefined): boolean {
  let found = false;
  parse(json, (key, value) => {
    found ||= key === "signer" && value === "aws-kms";
    return value;
  });
  return found;
}

/** undefined where it cannot be read: the process that must read it says so. */
function contentOf(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function withoutWallets(json: string): string {
  const chains = parse(json, (key, value) => (key === "wallets" ? undefined : value));
  return chains === undefined ? json : JSON.stringify(chains);
}

/** The members of FIAT_RAIL_FORMER that order, and where. */
const ORDERING = ["order_secret", "url", "collect_path", "payout_path", "status_path"];

function withoutOrders(json: string): string {
  const rails = parse(json, (key, value) => (ORDERING.includes(key) ? undefined : value));
  return rails === undefined ? json : JSON.stringify(rails);
}

/** undefined for invalid JSON: the process that reads it reports that. */
function parse(json: string | undefined, reviver: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(json ?? "", reviver);
  } catch {
    return undefined;
  }
}
