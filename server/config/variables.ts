import ipaddr from "ipaddr.js";
import { z } from "zod";
import { FIRST_PROVIDER } from "#domain/fiat.ts";
import { DEFAULT_RETENTION, LEAST_RETENTION, readRetention } from "#domain/retention.ts";
import { ALL_SIGNED, readThresholds } from "#domain/signed-approval.ts";
import { LOG_LEVELS } from "#server/observe/log.ts";
import { chainEnd } from "./chain-end.ts";
import { formerRails, path, providerName, railSecret, webUrl } from "./rail-forms.ts";
import { sandboxChains } from "./sandbox-chains.ts";

/** A whole number within limits, written in digits. */
function wholeNumber(least: number, most: number) {
  const sentence = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, sentence)
    .transform(Number)
    .refine((value) => value >= least && value <= most, sentence);
}

function commaList(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

const addresses = z
  .string()
  .transform(commaList)
  .refine((items) => items.every(isAddressOrRange), "must be addresses or CIDR ranges, separated by commas");

function isAddressOrRange(text: string): boolean {
  return text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

const userName = z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/, "must be the name of a user of this machine");
const ranges = z
  .string()
  .transform(commaList)
  .refine((items) => items.every((item) => ipaddr.isValidCIDR(item)), "must be CIDR ranges, separated by commas");

const hosts = z
  .string()
  .transform((text) => commaList(text.toLowerCase()))
  .refine((items) => items.every((item) => /^[a-z0-9.:_-]+$/.test(item)), "must be host names, separated by commas");

const PORTS_SENTENCE = "must be port numbers, separated by commas";
const ports = z
  .string()
  .refine((text) => commaList(text).length > 0 && commaList(text).every((item) => /^\d{1,5}$/.test(item)), PORTS_SENTENCE)
  .transform((text) => commaList(text).map(Number))
  .refine((numbers) => numbers.every((port) => port >= 1 && port <= 65_535), PORTS_SENTENCE);

/** Of several hosts the driver tries one after the other without an end or a pause, and answers nobody meanwhile (docs/decisions/failover.md). */
const databaseUrl = z
  .string()
  .refine(
    (text) => !/^\w+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)/.test(text),
    "must name one host; for several hosts, use a proxy (docs/runbooks/failover.md)",
  )
  .pipe(z.url({ protocol: /^postgres(ql)?$/, error: "must be a URL of the form postgres://user:password@host:port/database" }));

/** As OpenTelemetry writes them: `name=value`, separated by commas, the values percent-encoded. */
const keyValues = z
  .string()
  .refine(
    (text) => commaList(text).every((item) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+=[!-~]*$/.test(item) && isDecodable(item)),
    "must be name=value, separated by commas",
  )
  .transform(
    (text): Record<string, string> =>
      Object.fromEntries(
        commaList(text).map((item) => [item.slice(0, item.indexOf("=")), decodeURIComponent(item.slice(item.indexOf("=") + 1))]),
      ),
  );

function isDecodable(text: string): boolean {
  try {
    return !/[\r\n\0]/.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** `off`, `all`, or the amounts above which a passkey must sign: `KES=1000000,UGX=5000000`. */
const signingThresholds = z
  .string()
  .refine(
    (text) => text === "off" || text === "all" || readThresholds(text) !== null,
    "must be off, all, or CURRENCY=AMOUNT, separated by commas",
  )
  .transform((text) => (text === "off" ? null : text === "all" ? ALL_SIGNED : (readThresholds(text) ?? ALL_SIGNED)));

const ratio = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, "must be a number from 0 to 1")
  .transform(Number);

/** How long temporary data is kept. */
const retention = z
  .string()
  .refine(
    (text) => readRetention(text) !== null,
    `must be days, such as api_log:30,archive:400; the least are ${Object.entries(LEAST_RETENTION)
      .map((entry) => entry.join(":"))
      .join(",")}`,
  )
  .transform((text) => readRetention(text) ?? DEFAULT_RETENTION);

/** One entry of VAULT_KEYS, PROOF_KEYS or CALLBACK_KEYS: an id, and 32 bytes. */
export type NamedKey = { id: string; key: Uint8Array };

const KEYS_SENTENCE =
  "must be one or more entries of the form id:key, separated by commas, each key being 32 bytes in base64 (openssl rand -base64 32)";
const namedKeys = z
  .string()
  .refine(
    (text) => commaList(text).length > 0 && commaList(text).every((item) => /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=$/.test(item)),
    KEYS_SENTENCE,
  )
  .transform((text): NamedKey[] =>
    commaList(text).map((item) => ({
      id: item.slice(0, item.indexOf(":")),
      key: Buffer.from(item.slice(item.indexOf(":") + 1), "base64"),
    })),
  )
  .refine((keys) => new Set(keys.map((key) => key.id)).size === keys.length, "must not use the same id twice");

const key32 = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64")
  .transform((text) => Buffer.from(text, "base64"));

/**
 * Every variable that the service reads. Each error is the end of a sentence that begins with the variable's name. `.env.example` explains
 * each of them; a test compares the two.
 */
export const VARIABLES = z.object({
  MODE: z.enum(["sandbox", "live"], "must be sandbox or live").default("sandbox"),
  PORT: wholeNumber(0, 65_535).default(3_000),
  HOST: z.string().default("127.0.0.1"),
  WEB_PROCESSES: wholeNumber(1, 64).default(1),
  WORKER_PROCESSES: wholeNumber(1, 64).default(1),
  WEB_USER: userName.optional(),
  WORKER_USER: userName.optional(),
  SIGNER_USER: userName.optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: databaseUrl.optional(),
  WEB_DATABASE_URL: databaseUrl.optional(),
  WORKER_DATABASE_URL: databaseUrl.optional(),
  SIGNER_DATABASE_URL: databaseUrl.optional(),
  DATABASE_POOLER: z.enum(["none", "transaction"], "must be none or transaction").default("none"),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  MIGRATION_DATABASE_URL: databaseUrl.optional(),
  DATABASE_LAYOUT: z.enum(["whole", "citus"]).default("whole"),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_READ_MAX_LAG_SECONDS: wholeNumber(1, 3_600).default(10),
  WEB_DATABASE_CONNECTIONS: wholeNumber(2, 500).default(20),
  WORKER_DATABASE_CONNECTIONS: wholeNumber(3, 500).default(10),
  BASE_URL: webUrl.optional(),
  BRAND: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, "must be letters, digits and hyphens, at most 32, a letter first")
    .default("Service"),
  CHAINS: z.string().optional(),
  CHAINS_FILE: z.string().optional(),
  CHAIN_RPC_URL: webUrl.optional(),
  SANDBOX_CHAINS: sandboxChains.optional(),
  SANDBOX_HISTORY: wholeNumber(0, 30).optional(),
  VAULT_KEYS: namedKeys.optional(),
  PROOF_KEYS: namedKeys.optional(),
  CALLBACK_KEYS: namedKeys.optional(),
  SIGNING_JOURNAL: z.string().regex(/^\//, "must be a whole path, from / on").optional(),
  SIGNER_CAPS: z.string().optional(),
  ACCEPTED_RULES: z.string().optional(),
  TRUSTED_PASSKEYS: z.string().optional(),
  SIGNER_SOCKET: z
    .string()
    .regex(/^\/.{1,99}$/, "must be a whole path, from / on, of at most 100 characters")
    .optional(),
  AUDIT_KEY: key32.optional(),
  AUDIT_PUBLIC_KEY: key32.optional(),
  AUDIT_ANCHOR: chainEnd.optional(),
  ATTESTATIONS_DIR: z.string().optional(),
  VAULT_BINDS: z.enum(["0", "1"], "must be 0 or 1").default("1"),
  RATE_SOURCE: z.enum(["fixed", "http"], "must be fixed or http").optional(),
  RATE_HTTP: z.string().optional(),
  RATE_HTTP_FILE: z.string().optional(),
  RATE_MAX_AGE_SECONDS: wholeNumber(5, 86_400).default(120),
  FIAT_RAIL: z.enum(["simulated", "http"], "must be simulated or http").optional(),
  FIAT_RAIL_NAME: providerName.default(FIRST_PROVIDER),
  FIAT_RAIL_SECRET: railSecret.optional(),
  FIAT_RAIL_ORDER_SECRET: railSecret.optional(),
  FIAT_RAIL_URL: webUrl.optional(),
  FIAT_RAIL_COLLECT_PATH: path.default("/collections"),
  FIAT_RAIL_PAYOUT_PATH: path.default("/payouts"),
  FIAT_RAIL_STATUS_PATH: path.default("/orders/status"),
  FIAT_RAIL_BALANCE_PATH: path.optional(),
  FIAT_RAIL_TIMEOUT_MS: wholeNumber(100, 30_000).default(10_000),
  FIAT_RAIL_FORMER: formerRails.optional(),
  SCREENING: z.enum(["required", "off"], "must be required or off").optional(),
  SCREENING_LIST: z.string().optional(),
  SCREENING_NAMES: z.string().optional(),
  SCREENING_CONFIRM_MS: wholeNumber(50, 5_000).default(1_000),
  REQUIRE_TOTP_FOR_DECIDERS: z.enum(["0", "1"], "must be 0 or 1").optional(),
  CHECK_ANSWERS: z.enum(["0", "1"], "must be 0 or 1").optional(),
  DRIFT_TOLERANCE_BPS: wholeNumber(0, 10_000).default(10),
  DECISION_TARGET_MINUTES: wholeNumber(1, 10_080).default(60),
  SIGNED_APPROVALS: signingThresholds.optional(),
  RATE_LIMIT_WRITES_PER_SECOND: wholeNumber(0, 1_000_000).default(50),
  RATE_LIMIT_READS_PER_SECOND: wholeNumber(0, 1_000_000).default(200),
  CONSOLE_CALLS_PER_SECOND: wholeNumber(0, 1_000_000).default(50),
  CONSOLE_SIGN_INS_PER_SECOND: wholeNumber(0, 1_000_000).default(5),
  DRAIN_SECONDS: wholeNumber(0, 300).optional(),
  TRUSTED_PROXIES: addresses.default([]),
  CALLBACK_ALLOWED_HOSTS: hosts.optional(),
  CALLBACK_PORTS: ports.optional(),
  RETENTION_DAYS: retention.optional(),
  CALLBACK_ALLOWED_NETWORKS: ranges.default([]),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be a URL of the form smtp://user:password@host:port or smtps://…" }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>@\r\n]{1,80} )?<?[^<>@\s]+@[^<>@\s]+>?$/, "must be an e-mail address, or a name and an address in angle brackets")
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[!-~]+|tel:\+?[0-9-]+)$/, "must be a mailto:, https: or tel: URI")
    .optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]+$/, "must be printable characters without spaces")
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: keyValues.optional(),
  OTEL_SERVICE_NAME: z
    .string()
    .regex(/^[!-~]{1,64}$/, "must be up to 64 printable characters without spaces")
    .default("settlement-service"),
  OTEL_TRACES_SAMPLER: z
    .enum(["traceidratio", "parentbased_traceidratio"], "must be traceidratio or parentbased_traceidratio")
    .default("traceidratio"),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(0.01),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  NEXT_DEV: z.enum(["0", "1"], "must be 0 or 1").default("0"),
});

export type Variables = z.infer<typeof VARIABLES>;
