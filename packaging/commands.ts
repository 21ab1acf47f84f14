/** What an operator runs on a machine with the package, by `settlement-service NAME`: the scripts that `npm run NAME` runs in a clone. */
export const COMMANDS = {
  migrate: "scripts/migrate.ts",
  advise: "scripts/advise.ts",
  audit: "scripts/audit.ts",
  "audit-public-key": "scripts/audit-public-key.ts",
  "check-settings": "scripts/check-settings.ts",
  compare: "scripts/compare.ts",
  "create-admin": "scripts/create-admin.ts",
  "confirm-device": "scripts/confirm-device.ts",
  "create-keystore": "scripts/create-keystore.ts",
  "create-operator-key": "scripts/create-operator-key.ts",
  doctor: "scripts/doctor.ts",
  egress: "packaging/egress.ts",
  "fund-pool": "scripts/fund-pool.ts",
  "hand-over-keys": "packaging/hand-over-keys.ts",
  "invitation-link": "scripts/invitation-link.ts",
  "reconcile-provider": "scripts/reconcile-provider.ts",
  journal: "scripts/journal.ts",
  "operator-passkeys": "scripts/operator-passkeys.ts",
  packing: "scripts/packing.ts",
  retention: "scripts/retention.ts",
  "set-limits": "scripts/set-limits.ts",
  "set-terms": "scripts/set-terms.ts",
  statement: "scripts/statement.ts",
  "unsigned-rules": "scripts/unsigned-rules.ts",
  "verify-backup": "scripts/verify-backup.ts",
} as const;

/** The signing journal, unless `signer.env` names another file: `settlement-signer.service` says the same. */
export const UNITS_JOURNAL = "/var/lib/settlement-signer/signing-journal.log";

/** Where the signer listens, as its unit and the workers' say. */
export const UNITS_SOCKET = "/run/settlement-signer/signer.sock";

export type CommandName = keyof typeof COMMANDS;

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
