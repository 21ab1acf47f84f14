import { type Database, scopedTo, type Tenant } from "#db/client.ts";
import type { AuditKey } from "#domain/audit-key.ts";
import type { CallbackKeys } from "#domain/callback-key.ts";
import type { EventBell } from "#domain/event.ts";
import type { Brokers } from "#domain/event-destination.ts";
import type { ProofKeys } from "#domain/proof.ts";
import type { EntryRules } from "#domain/session.ts";
import type { SigningThresholds } from "#domain/signed-approval.ts";
import type { Tracer } from "#domain/tracer.ts";
import type {
  CallbackSender,
  ChainDirectory,
  Clock,
  EvmDirectory,
  FiatProviders,
  IdentityProviders,
  LapsingDirectory,
  LapsingSigners,
  Log,
  Mailer,
  Meter,
  Passkeys,
  Passwords,
  Screener,
  Signers,
  Vault,
} from "#server/ports.ts";

export type { Tenant } from "#db/client.ts";

/** What the installation has decided where the rules leave a choice. */
export type Policy = {
  /** How far the rate may have moved since an admin saw it, in basis points. */
  driftToleranceBps: number;
  /** Which decisions a passkey must sign; null: none. */
  signedApprovals: SigningThresholds | null;
  /** How soon a decision is promised. */
  decisionTargetMinutes: number;
};

/** Everything a service may be handed. A service names what it uses, and can touch nothing else. */
export type Context = {
  /** Powers of the sandbox (moving the clock, fixing a rate) need this, and refuse in live mode. */
  mode: "sandbox" | "live";
  db: Database;
  clock: Clock;
  vault: Vault;
  passwords: Passwords;
  passkeys: Passkeys;
  chains: ChainDirectory;
  callbacks: CallbackSender;
  brokers: Brokers;
  identityProviders: IdentityProviders;
  /** Which fiat provider a new order is given to, and which one calls. */
  fiatProviders: FiatProviders;
  /** Screens recipients before they are paid. */
  screener: Screener;
  mailer: Mailer;
  log: Log;
  policy: Policy;
  entryRules: EntryRules;
  meter: Meter;
  tracer: Tracer;
  /** Verifies the ends of the audit log's chain; only the worker signs them. */
  auditKey: AuditKey;
  /** Lets readers wait for events. */
  eventBell: EventBell;
  /** Signs quotes and receipts for third parties. */
  proofs: ProofKeys;
  /** Signs callbacks for public verification. */
  callbackKeys: CallbackKeys;
  /** The EVM chains' nodes. */
  evm: EvmDirectory;
  /** The treasury's keys, which only the worker has. */
  signers: Signers;
  /** The chains whose payments lapse by themselves, with their nodes. */
  lapsing: LapsingDirectory;
  /** The treasury's keys on them, which only the worker has. */
  lapsingSigners: LapsingSigners;
};

/** `Uses<"db" | "clock">`: the powers that a service needs. */
export type Uses<Power extends keyof Context> = Pick<Context, Power>;

/** The same powers over what is that tenant's: anyone who acts for a partner is handed no other database (docs/decisions/second-line.md). */
export function inTenant(ctx: Context, tenant: Tenant): Context {
  return tenant.of === "everybody" && tenant.person === undefined ? ctx : { ...ctx, db: scopedTo(ctx.db, tenant) };
}
