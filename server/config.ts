import { resolve } from "node:path";
import { publicHalfOf } from "#domain/audit-key.ts";
import { DEFAULT_RETENTION } from "#domain/retention.ts";
import type { HttpRateConfig } from "#server/adapters/rates/http/config.ts";
import { attestationsDirOf } from "#server/config/attestations-dir.ts";
import { reportAuditKey } from "#server/config/audit-key.ts";
import type { ChainConfig } from "#server/config/chains.ts";
import { withCredentials } from "#server/config/credentials.ts";
import { databaseUrlsOf, type ProcessKind } from "#server/config/database-urls.ts";
import { reportSharedKeys } from "#server/config/distinct-keys.ts";
import { type FiatRailConfig, type HttpRailSettings, orderingVariables, readFiatRail, readHttpRails } from "#server/config/fiat-rail.ts";
import { reportUnsafe } from "#server/config/live.ts";
import { type MailSettings, readMail } from "#server/config/mail.ts";
import { readChains, readRateHttp } from "#server/config/named-files.ts";
import { readScreening, type ScreeningConfig } from "#server/config/screening.ts";
import { baseUrlOf, signedApprovalsOf } from "#server/config/signed-approvals.ts";
import { reportKeys } from "#server/config/signer.ts";
import { VARIABLES, type Variables } from "#server/config/variables.ts";
import { type NamedWallet, secretsOf } from "#server/config/wallets.ts";
import type { TracingSettings } from "#server/observe/trace.ts";

/** The settings of every process. Adapters and services get values from it; nothing else reads the environment. */
export type Config = ReturnType<typeof toConfig>;

/** The worker's own settings: its signer, and the sources of rates. */
export type WorkerConfig = Config & {
  /** Whom the processes run as, where root starts them; null: anyone who starts them. */
  webUser: string | null;
  workerUser: string | null;
  signerUser: string | null;
  /** The key that signs the ends of the audit log's chain; null (allowed in the sandbox): they are unsigned. */
  auditKey: Uint8Array | null;
  /** Where the daily attestations are written, absolute; null (allowed, but warned of): nowhere. */
  attestationsDir: string | null;
  /** Where the signer listens, which alone has keys. */
  signerSocket: string;
  /** The settings of the `http` source; null when another source is chosen. */
  rateHttp: HttpRateConfig | null;
  /** The providers over HTTP, with what orders from them. */
  httpRails: readonly HttpRailSettings[];
  /** The mail server for messages to people; null: none. */
  mail: MailSettings;
};

/** Everything that is wrong with the settings, in plain sentences. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(mode: string, problems: readonly string[]) {
    super(`The service cannot start in ${mode} mode:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
const cache: { web?: Config; worker?: WorkerConfig } = {};

/**
 * The settings of a web process, which has no wallet's password.
 *
 * @throws ConfigError with everything that is missing, malformed or, in live mode, unsafe (contract, part 8), at once.
 */
export function readConfig(env: Environment = process.env): Config {
  if (env !== process.env) return parse(env, "web").config;
  cache.web ??= parse(env, "web").config;
  return cache.web;
}

/** The settings of a worker: as {@link readConfig}, and its signer. */
export function readWorkerConfig(env: Environment = process.env): WorkerConfig {
  if (env !== process.env) return parseForWorker(env);
  cache.worker ??= parseForWorker(env);
  return cache.worker;
}

/**
 * In live mode, refuses the environment of a non-signing process that could sign: one with a wallet's password or PIN, credentials of the
 * cloud account that has its key, or what signs fiat orders.
 *
 * @throws ConfigError
 */
export function assertSignsNothing(env: Environment = process.env): void {
  const { config, chains, variables, env: resolvedEnv } = parse(env, "web");
  const named = new Set([...chains.flatMap(({ wallets }) => wallets.flatMap(secretsOf)), "AUDIT_KEY"]);
  const given = [...[...named].filter((name) => resolvedEnv[name] !== undefined), ...orderingVariables(variables)];
  const problems = given.map((name) => `${name} is set: a web process signs nothing; start it without this variable.`);
  if (resolvedEnv.WORKER_DATABASE_URL?.trim())
    problems.push("WORKER_DATABASE_URL is set: the web process has its own log-in; start it without the worker's.");
  if (config.mode === "live" && problems.length > 0) throw new ConfigError("live", problems);
}

type Parsed = {
  env: Environment;
  config: Config;
  chains: (ChainConfig & { wallets: NamedWallet[] })[];
  variables: Variables;
  /** The variables that are reported already. */
  faulty: ReadonlySet<string>;
};

function parse(given: Environment, kind: ProcessKind, reportMore?: (parsed: Parsed, report: (problem: string) => void) => void): Parsed {
  const problems: string[] = [];
  const report = (problem: string) => problems.push(problem);
  const env = withCredentials(given, report);
  const set = Object.fromEntries(Object.entries(env).filter(([name, value]) => name in VARIABLES.shape && value?.trim() !== ""));
  const read = VARIABLES.safeParse(set);
  const faulty = new Set(read.success ? [] : read.error.issues.map((issue) => String(issue.path[0])));
  for (const issue of read.success ? [] : read.error.issues) report(`${String(issue.path[0])} ${issue.message}.`);
  // Faulty ones are skipped and the rest checked, so that one start reports everything that is wrong.
  const variables = read.data ?? VARIABLES.parse(Object.fromEntries(Object.entries(set).filter(([name]) => !faulty.has(name))));
  const chains = readChains(variables, report);
  const databases = databaseUrlsOf(kind, variables);
  const isNamed = databases.DATABASE_URL !== undefined || faulty.has("DATABASE_URL") || faulty.has(`${kind.toUpperCase()}_DATABASE_URL`);
  if (!isNamed) report("DATABASE_URL is missing.");
  if (variables.VAULT_KEYS === undefined && !faulty.has("VAULT_KEYS")) report("VAULT_KEYS is missing.");
  reportSharedKeys(variables, report);
  if (variables.DATABASE_POOLER === "transaction" && variables.DATABASE_DIRECT_URL === undefined && !faulty.has("DATABASE_DIRECT_URL"))
    report("DATABASE_DIRECT_URL is missing: through a pooler nothing can be listened to; name the database itself.");
  // A place without a log-in is judged with the one that the process uses there.
  const { DATABASE_URL: _own, ...places } = databases;
  if (variables.MODE === "live")
    reportUnsafe({ ...variables, ...places }, chains, (problem) => !faulty.has(problem.split(/[ :]/, 1)[0] ?? "") && report(problem));
  const fiatRail = readFiatRail(variables, (problem) => !faulty.has(problem.split(" ", 1)[0] ?? "") && report(problem));
  const screening = readScreening(variables, chains, (problem) => !faulty.has(problem.split(/[ :]/, 1)[0] ?? "") && report(problem));
  const config = toConfig({ ...variables, ...databases }, chains, { fiatRail, screening });
  const parsed = { env, config, chains, variables, faulty };
  reportMore?.(parsed, (problem) => !faulty.has(problem.split(/[ :]/, 1)[0] ?? "") && report(problem));
  if (problems.length > 0) throw new ConfigError(variables.MODE, problems);
  return parsed;
}

function parseForWorker(env: Environment): WorkerConfig {
  const more: Pick<WorkerConfig, "rateHttp" | "httpRails" | "mail"> = { rateHttp: null, httpRails: [], mail: null };
  const { config, variables } = parse(env, "worker", (parsed, report) => {
    more.httpRails = readHttpRails(parsed.variables, report);
    more.mail = readMail(parsed.variables, (problem) => !parsed.faulty.has("SMTP_URL") && report(problem));
    reportAuditKey(parsed.variables, report);
    if (parsed.variables.SIGNER_SOCKET === undefined) report("SIGNER_SOCKET is missing: the socket of the signer, which alone has keys.");
    if (parsed.config.mode === "live") reportKeys(parsed.chains, parsed.env, report);
    if (parsed.config.rateSource === "http") more.rateHttp = readRateHttp(parsed.variables, parsed.env, report);
  });
  return {
    ...config,
    webUser: variables.WEB_USER ?? null,
    workerUser: variables.WORKER_USER ?? null,
    signerUser: variables.SIGNER_USER ?? null,
    auditKey: variables.AUDIT_KEY ?? null,
    attestationsDir: attestationsDirOf(variables),
    signerSocket: variables.SIGNER_SOCKET ?? "",
    rateHttp: more.rateHttp,
    httpRails: more.httpRails,
    mail: more.mail,
  };
}

function toConfig(
  variables: Variables,
  chains: readonly (ChainConfig & { wallets: NamedWallet[] })[],
  { fiatRail, screening }: { fiatRail: FiatRailConfig; screening: ScreeningConfig },
) {
  return {
    mode: variables.MODE,
    /** Whether the worker sends mail to people. */
    sendsMail: variables.MAIL_FROM !== undefined,
    port: variables.PORT,
    host: variables.HOST,
    /** How many answer at that port; they share it where there are several. */
    webProcesses: variables.WEB_PROCESSES,
    workerProcesses: variables.WORKER_PROCESSES,
    /** Absolute. */
    dataDir: resolve(variables.DATA_DIR),
    databaseUrl: variables.DATABASE_URL ?? "",
    /** Whether a pooler in transaction mode answers there. */
    databasePooled: variables.DATABASE_POOLER === "transaction",
    databaseLayout: variables.DATABASE_LAYOUT,
    /** Bypasses the pooler; the same as `databaseUrl` where there is none. */
    databaseDirectUrl: variables.DATABASE_DIRECT_URL ?? variables.DATABASE_URL ?? "",
    /** A streaming replica for the console's lists; null: there is none. */
    databaseReadUrl: variables.DATABASE_READ_URL ?? null,
    databaseReadMaxLagSeconds: variables.DATABASE_READ_MAX_LAG_SECONDS,
    webDatabaseConnections: variables.WEB_DATABASE_CONNECTIONS,
    workerDatabaseConnections: variables.WORKER_DATABASE_CONNECTIONS,
    baseUrl: baseUrlOf(variables),
    brand: variables.BRAND,
    chains: chains.map(({ wallets: _, ...chain }) => chain),
    /** The first seals; all open. */
    vaultKeys: variables.VAULT_KEYS ?? [],
    proofKeys: variables.PROOF_KEYS ?? [],
    callbackKeys: variables.CALLBACK_KEYS ?? [],
    /** The keys that must have signed the audit log's chain; null: signatures are not checked. */
    auditPublicKey: variables.AUDIT_PUBLIC_KEY ?? (variables.AUDIT_KEY === undefined ? null : publicHalfOf(variables.AUDIT_KEY)),
    auditAnchor: variables.AUDIT_ANCHOR ?? null,
    vaultBinds: variables.VAULT_BINDS === "1",
    retention: variables.RETENTION_DAYS ?? DEFAULT_RETENTION,
    rateSource: variables.RATE_SOURCE ?? (variables.MODE === "live" ? "http" : "fixed"),
    rateMaxAgeSeconds: variables.RATE_MAX_AGE_SECONDS,
    fiatRail,
    screening,
    /** Whether people who decide on settlements get in with two factors only. */
    requireTotpForDeciders: (variables.REQUIRE_TOTP_FOR_DECIDERS ?? (variables.MODE === "live" ? "1" : "0")) === "1",
    /** Whether each answer of the API is parsed again and validated against its schema. */
    checksAnswers: (variables.CHECK_ANSWERS ?? (variables.MODE === "live" ? "0" : "1")) === "1",
    driftToleranceBps: variables.DRIFT_TOLERANCE_BPS,
    signedApprovals: signedApprovalsOf(variables),
    /** How soon a decision is promised. What waits longer is passed on to the admins. */
    decisionTargetMinutes: variables.DECISION_TARGET_MINUTES,
    /** Per key and second; 0: no limit. */
    rateLimits: { writesPerSecond: variables.RATE_LIMIT_WRITES_PER_SECOND, readsPerSecond: variables.RATE_LIMIT_READS_PER_SECOND },
    /** Per session or address and second; 0: no limit. */
    consoleLimits: { callsPerSecond: variables.CONSOLE_CALLS_PER_SECOND, signInsPerSecond: variables.CONSOLE_SIGN_INS_PER_SECOND },
    /** How long a web process that was asked to stop still answers, and reports that it is stopping. */
    drainSeconds: variables.DRAIN_SECONDS ?? (variables.MODE === "live" ? 5 : 0),
    trustedProxies: variables.TRUSTED_PROXIES,
    /** In lower case. Always empty in live mode. */
    callbackAllowedHosts: variables.CALLBACK_ALLOWED_HOSTS ?? (variables.MODE === "sandbox" ? ["localhost", "127.0.0.1"] : []),
    /** The only ports for callbacks, except at exempt hosts; null: any. */
    callbackPorts: variables.CALLBACK_PORTS ?? (variables.MODE === "live" ? [443, 8443] : null),
    /** CIDR ranges. */
    callbackAllowedNetworks: variables.CALLBACK_ALLOWED_NETWORKS,
    securityContact: variables.SECURITY_CONTACT ?? null,
    /** The token for `/metrics` and the details of `/ready` in live mode; null: nobody has access. */
    metricsToken: variables.METRICS_TOKEN ?? null,
    /** Where traces are sent; null: there are none. */
    tracing: tracingOf(variables),
    logLevel: variables.LOG_LEVEL,
    development: variables.NEXT_DEV === "1",
  };
}

function tracingOf(variables: Variables): TracingSettings | null {
  if (variables.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: variables.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: variables.OTEL_SERVICE_NAME,
    ratio: variables.OTEL_TRACES_SAMPLER_ARG,
    trustsCallers: variables.OTEL_TRACES_SAMPLER === "parentbased_traceidratio",
  };
}
