const MASK = "[redacted]";

/** Names of fields whose values are never written, without `-` and `_`. */
const SECRET_NAMES =
  /^(?:accesstoken|bearer|csrftoken|idtoken|jwt|callbackkeys|otp|proofkeys|recoverycodes|refreshtoken|sessiontoken|sid|vaultkeys)$/i;
/** Fields with these endings contain a secret, whatever precedes: `x-service-signature`, `callback_secret`, `set-cookie`. */
const SECRET_ENDINGS = /(?:apikey|authorization|cookies?|mnemonic|passphrase|password|privatekey|secrets?|signature)$/i;

/** Secrets recognised by their form, anywhere in a text. */
const SECRET_FORMS: readonly (readonly [RegExp, string])[] = [
  // What this service issues: API secrets, callback secrets, API keys, invitations, access tokens; and the rail's secret of a sandbox.
  [/\b(sec|whsec|key|inv|tok|rail)_[A-Za-z0-9+/=_-]{4,}/g, `$1_${MASK}`],
  // `webhook-signature`.
  [/\b(v1a?),[A-Za-z0-9+/]{20,}={0,2}/g, `$1,${MASK}`],
  [/\bBearer\s+[^\s"',;]+/gi, `Bearer ${MASK}`],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, MASK],
  // A raw private key looks like any hash: the preceding text identifies it.
  [/\b((?:private|secret|signing)[ _-]?key\b[^0-9a-f\n]{0,24})(?:0x)?[0-9a-f]{64}\b/gi, `$1${MASK}`],
  // Credentials in a URL, and the keys that node providers put into its path.
  [/:\/\/([^\s/:@]*):[^\s/@]+@/g, `://$1:${MASK}@`],
  [/(https?:\/\/[^\s"']*\/v\d+\/)[A-Za-z0-9_-]{16,}/g, `$1${MASK}`],
  // The values of a failed statement, in the query builder's error message.
  [/\nparams: [\s\S]*?(?=\n\s+at |$)/g, `\nparams: ${MASK}`],
  // `password=…`, `"apiKey": "…"`, `X-Service-Signature: …`, `&token=…` inside a text.
  [
    /((?:authorization|api[-_]?key|access[-_]?token|password|passphrase|secret|signature|(?:set-)?cookie|[?&](?:token|key))\\?["']?\s*[:=]\s*\\?["']?)(?!\[redacted\])[^\s"',;&}\\]+/gi,
    `$1${MASK}`,
  ],
];

/** Whether a text contains any of them: almost none does, and one pass is cheaper than one per form. Case-insensitive. */
const ANY_FORM = new RegExp(SECRET_FORMS.map(([form]) => form.source).join("|"), "i");

const DEEPEST = 8;
const LONGEST_TEXT = 8_000;
const LONGEST_LIST = 100;

/** The text without anything that has a secret's form. */
export function redactText(text: string): string {
  let clean = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  if (!ANY_FORM.test(clean)) return clean;
  for (const [form, replacement] of SECRET_FORMS) clean = clean.replace(form, replacement);
  return clean;
}

/** A copy of the fields that may be written to a log: secrets masked by name and by form at any depth, everything made JSON. */
export function redactFields(fields: object): Record<string, unknown> {
  const clean = redactValue(fields, []);
  return typeof clean === "object" && clean !== null ? { ...clean } : {};
}

function redactValue(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (above.length >= DEEPEST) return "[deep]";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const within = [...above, value];
  if (value instanceof Error) return redactError(value, within);
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((item) => redactValue(item, within));
  if (value instanceof Map || value instanceof Set) return redactValue([...value], within);
  return redactMembers(value, within);
}

function redactMembers(value: object, within: readonly object[]): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    clean[name] = isSecretName(name) && member !== null && member !== undefined ? MASK : redactValue(member, within);
  }
  return clean;
}

/** An error's own members can be whole requests: only those that explain the cause are kept, without statement parameters. */
function redactError(error: Error, within: readonly object[]): Record<string, unknown> {
  const clean: Record<string, unknown> = { type: error.name, message: redactText(error.message) };
  if (error.stack) clean.stack = redactText(error.stack);
  if ("code" in error && (typeof error.code === "string" || typeof error.code === "number")) clean.code = error.code;
  if (error.cause !== undefined) clean.cause = redactValue(error.cause, within);
  return clean;
}

function isSecretName(name: string): boolean {
  const plain = name.replaceAll(/[-_]/g, "");
  return SECRET_NAMES.test(plain) || SECRET_ENDINGS.test(plain);
}
