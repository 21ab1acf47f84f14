import { SIGNER_READS } from "./signer.ts";
import type { Variables } from "./variables.ts";

/**
 * Which process gets a variable: both, the web process or the worker alone, or neither, because only the start or the units read it. A
 * secret goes only where it is used (docs/runbooks/keys.md).
 */
export type Reader = "both" | "web" | "worker" | "start";

/** A line for each variable: a new one goes nowhere until somebody decides. */
export const READERS: Readonly<Record<keyof Variables, Reader>> = {
  MODE: "both",
  PORT: "both",
  HOST: "both",
  WEB_PROCESSES: "both",
  WORKER_PROCESSES: "both",
  WEB_USER: "worker",
  WORKER_USER: "worker",
  SIGNER_USER: "start",
  DATA_DIR: "both",
  // Each process gets its own log-in under this name; the owner's is only for migrations before the parts start.
  DATABASE_URL: "both",
  WEB_DATABASE_URL: "web",
  WORKER_DATABASE_URL: "worker",
  // Only the signer reads it.
  SIGNER_DATABASE_URL: "start",
  DATABASE_POOLER: "both",
  DATABASE_DIRECT_URL: "both",
  MIGRATION_DATABASE_URL: "start",
  DATABASE_LAYOUT: "both",
  DATABASE_READ_URL: "both",
  DATABASE_READ_MAX_LAG_SECONDS: "both",
  WEB_DATABASE_CONNECTIONS: "both",
  WORKER_DATABASE_CONNECTIONS: "both",
  BASE_URL: "both",
  BRAND: "both",
  CHAINS: "both",
  CHAINS_FILE: "both",
  CHAIN_RPC_URL: "both",
  SANDBOX_CHAINS: "both",
  SANDBOX_HISTORY: "both",
  VAULT_KEYS: "both",
  PROOF_KEYS: "web",
  CALLBACK_KEYS: "both",
  AUDIT_KEY: "worker",
  AUDIT_PUBLIC_KEY: "both",
  AUDIT_ANCHOR: "both",
  ATTESTATIONS_DIR: "worker",
  // Only the signer reads it.
  SIGNING_JOURNAL: "start",
  SIGNER_SOCKET: "worker",
  // Only the signer reads it.
  SIGNER_CAPS: "start",
  // Only the signer reads it.
  ACCEPTED_RULES: "start",
  // Only the signer reads it.
  TRUSTED_PASSKEYS: "start",
  VAULT_BINDS: "both",
  RATE_SOURCE: "both",
  RATE_HTTP: "worker",
  RATE_HTTP_FILE: "worker",
  RATE_MAX_AGE_SECONDS: "both",
  FIAT_RAIL: "both",
  FIAT_RAIL_NAME: "both",
  FIAT_RAIL_SECRET: "both",
  FIAT_RAIL_ORDER_SECRET: "worker",
  FIAT_RAIL_URL: "worker",
  FIAT_RAIL_COLLECT_PATH: "worker",
  FIAT_RAIL_PAYOUT_PATH: "worker",
  FIAT_RAIL_STATUS_PATH: "worker",
  FIAT_RAIL_BALANCE_PATH: "worker",
  FIAT_RAIL_TIMEOUT_MS: "worker",
  // The web process gets what checks callbacks, and neither an address nor a secret for orders.
  FIAT_RAIL_FORMER: "both",
  SCREENING: "both",
  SCREENING_LIST: "both",
  SCREENING_NAMES: "both",
  SCREENING_CONFIRM_MS: "both",
  REQUIRE_TOTP_FOR_DECIDERS: "both",
  CHECK_ANSWERS: "both",
  DRIFT_TOLERANCE_BPS: "both",
  DECISION_TARGET_MINUTES: "both",
  SIGNED_APPROVALS: "both",
  RATE_LIMIT_WRITES_PER_SECOND: "both",
  RATE_LIMIT_READS_PER_SECOND: "both",
  CONSOLE_CALLS_PER_SECOND: "both",
  CONSOLE_SIGN_INS_PER_SECOND: "both",
  DRAIN_SECONDS: "both",
  TRUSTED_PROXIES: "both",
  CALLBACK_ALLOWED_HOSTS: "both",
  CALLBACK_PORTS: "both",
  RETENTION_DAYS: "both",
  CALLBACK_ALLOWED_NETWORKS: "both",
  SMTP_URL: "worker",
  MAIL_FROM: "both",
  SECURITY_CONTACT: "both",
  METRICS_TOKEN: "web",
  OTEL_EXPORTER_OTLP_ENDPOINT: "both",
  OTEL_EXPORTER_OTLP_HEADERS: "both",
  OTEL_SERVICE_NAME: "both",
  OTEL_TRACES_SAMPLER: "both",
  OTEL_TRACES_SAMPLER_ARG: "both",
  LOG_LEVEL: "both",
  NEXT_DEV: "both",
};

/** Whether a process gets the variable. */
export function reads(process: "web" | "worker" | "signer", name: string): boolean {
  if (process === "signer") return SIGNER_READS.some((own) => own === name);
  const reader = name in READERS ? READERS[name as keyof Variables] : "start";
  return reader === "both" || reader === process;
}
