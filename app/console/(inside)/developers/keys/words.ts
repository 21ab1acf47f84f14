import type { OVERLAPS_SECONDS, Scope } from "#domain/access.ts";

export const PAGE = {
  title: "API keys",
  howToSign: "How to sign",
  operators: "The operator’s own; a partner’s are on its page",
};

export const API_KEYS = {
  none: "No key in force",
  noneMayCreate: "Create one to send the first signed request.",
  noneOwnerCreates: "An owner creates the first one.",
  inForce: "API keys in force",
  newest: (count: number, total: number) => `The newest ${count} of ${total}.`,
  endedKeys: "Ended keys",
  noneEnded: "No key has ended.",
  endedCaption: "Ended API keys",
};

export const KEY_TABLE = {
  scopes: "Scopes",
  addresses: "Addresses",
  actions: (name: string) => `Actions for the key ${name}`,
  rotate: "Rotate",
  revoke: "Revoke",
  inPlaceOfEnded: "in place of an ended key",
  inPlaceOf: (key: string) => `in place of ${key}`,
  signsChanges: "signs its changes",
  signsAll: "signs everything",
  revoked: "Revoked",
  replacedUntil: (revokedAt: string) => `Replaced; valid until ${revokedAt}`,
  replaced: "Replaced",
  endsIn: (left: string) => `ends in ${left}`,
  expires: (expiresAt: string) => `Expires ${expiresAt}`,
  expiresIn: (left: string) => `expires in ${left}`,
  neverUsed: "Never used",
  operations: (count: number) => (count === 1 ? "1 operation" : `${count} operations`),
  justNow: "just now",
  ago: (ago: string) => `${ago} ago`,
  from: (address: string) => `from ${address}`,
  anyAddress: "Any address",
  andMore: (count: number) => `and ${count} more`,
};

export const CREATE_KEY_DIALOG = {
  title: "Create API key",
  nameHint: "Where it will be used, such as “Checkout, production”",
  nameWanted: "Enter a name that you will recognise later",
  permissions: "Permissions",
  signsMeans: {
    all: "Without the secret, the key can do nothing",
    changes: "Without the secret, the key can read outside /api/v1: members, phone numbers and accounts",
    none: "Without the secret, the key can read and change everything outside /api/v1",
  },
  allowedAddresses: "Allowed addresses",
  addressesHint: "IP addresses or CIDR ranges, one a line; empty allows any",
  expires: "Expires",
  day: "Day (UTC). The key expires at the end of that day",
  dayWanted: "Choose a day from today on",
  notAddresses: (addresses: string) => `${addresses}: no IP address or CIDR range such as 203.0.113.0/24`,
  tooManyAddresses: (most: number) => `At most ${most}; use ranges`,
  created: (name: string) => `Key “${name}” created`,
  proposed: (name: string) => `Key “${name}” proposed. It works once another admin confirms it`,
  signs: "Signs",
  signing: {
    all: "Everything",
    changes: "What it changes",
    none: "Nothing outside /api/v1",
  },
  lifetimes: { "": "Never", "30": "In 30 days", "90": "In 90 days", "365": "In a year", date: "On a day that I choose" },
  scopes: {
    "settlements:read": "Read settlements",
    "settlements:write": "Create, confirm and cancel settlements",
    "partner:read": "Read members, fiat and transactions",
    "partner:write": "Change members, move fiat, manage keys",
    "settlements:decide": "Approve and reject settlements",
    "partners:admin": "Manage partners, keys and people",
    treasury: "Move what the treasury pays for, such as Safes",
    read: "Read everything",
  } satisfies Record<Scope, string>,
};

export const ROTATE_KEY_DIALOG = {
  title: (name: string) => `Rotate “${name}”`,
  means:
    "Creates a key with the same name, scopes, addresses and expiry. A key has one successor at a time. Revoking a key also revokes its successors.",
  rotateKey: "Rotate key",
  keyRotated: (name: string) => `Key “${name}” rotated`,
};

export const REVOKE_KEY_DIALOG = {
  title: (name: string) => `Revoke “${name}”`,
  means:
    "The key ends immediately and permanently, with every key that was rotated from it or made with it. Requests that use any of them are refused.",
  alsoEnd: "These keys end with it",
  rotated: "rotated",
  madeWithIt: "made with it",
  withOthers: (name: string, others: number) => (others === 1 ? `${name} and one other` : `${name} and ${others} others`),
  revokeKey: "Revoke key",
  keyRevoked: "Key revoked",
};

/** What a change of keys would have refused. */
export const KEY_EFFECT = {
  working: "Trying it on the last 30 days…",
  none: "In the last 30 days this would have refused no request.",
  some: (refused: number, answered: number) =>
    `In the last 30 days this would have refused ${refused.toLocaleString("en")} of ${answered === 1 ? "1 request that was answered" : `${answered.toLocaleString("en")} requests that were answered`}: {operations}.`,
  sample: (examined: number) => `Only the newest ${examined.toLocaleString("en")} requests were examined.`,
};

export const CALLBACK_SECRET = {
  rotateSecret: "Rotate secret",
  callbackSecret: "Callback secret",
  signsCallbacksSince: "Signs callbacks since",
  previousSigns: "The previous secret also signs",
  rotateTitle: "Rotate the callback secret",
  rotateMeans: "While both are valid, each callback carries two signatures.",
  rotated: "Callback secret rotated",
  none: "No secret yet. Callbacks carry no webhook-signature",
  previousUntil: "for {left}, until {end}",
};

export const OVERLAP = {
  label: "The old one ends",
  choices: {
    0: { title: "Now", means: "Anything that still uses the old one fails immediately." },
    86400: { title: "In 24 hours", means: "Both are valid for a day, so you have time to roll out." },
    604800: { title: "In 7 days", means: "Both are valid for a week." },
  } satisfies Record<(typeof OVERLAPS_SECONDS)[number], { title: string; means: string }>,
};

export const FIRST_CALL = {
  apiKey: "API key",
  apiSecret: "API secret",
};
