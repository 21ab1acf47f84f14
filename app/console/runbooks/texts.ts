import type { Runbook } from "#domain/runbook.ts";
import aboveCap from "../../../docs/runbooks/above-cap.md?raw";
import approvalsWaiting from "../../../docs/runbooks/approvals-waiting.md?raw";
import attestations from "../../../docs/runbooks/attestations.md?raw";
import auditLog from "../../../docs/runbooks/audit-log.md?raw";
import backup from "../../../docs/runbooks/backup.md?raw";
import callbacksUndelivered from "../../../docs/runbooks/callbacks-undelivered.md?raw";
import citus from "../../../docs/runbooks/citus.md?raw";
import databaseAway from "../../../docs/runbooks/database-away.md?raw";
import failover from "../../../docs/runbooks/failover.md?raw";
import fiatProvider from "../../../docs/runbooks/fiat-provider.md?raw";
import halts from "../../../docs/runbooks/halts.md?raw";
import heldPayments from "../../../docs/runbooks/held-payments.md?raw";
import identityProviderGone from "../../../docs/runbooks/identity-provider-gone.md?raw";
import keys from "../../../docs/runbooks/keys.md?raw";
import leakedKey from "../../../docs/runbooks/leaked-key.md?raw";
import logIns from "../../../docs/runbooks/log-ins.md?raw";
import lostPhone from "../../../docs/runbooks/lost-phone.md?raw";
import managedPostgresql from "../../../docs/runbooks/managed-postgresql.md?raw";
import needsReview from "../../../docs/runbooks/needs-review.md?raw";
import objectiveMissed from "../../../docs/runbooks/objective-missed.md?raw";
import packages from "../../../docs/runbooks/packages.md?raw";
import packing from "../../../docs/runbooks/packing.md?raw";
import paymentsWaiting from "../../../docs/runbooks/payments-waiting.md?raw";
import pgbouncer from "../../../docs/runbooks/pgbouncer.md?raw";
import index from "../../../docs/runbooks/README.md?raw";
import ratesStale from "../../../docs/runbooks/rates-stale.md?raw";
import reconciliation from "../../../docs/runbooks/reconciliation.md?raw";
import replica from "../../../docs/runbooks/replica.md?raw";
import retention from "../../../docs/runbooks/retention.md?raw";
import rotateVaultKey from "../../../docs/runbooks/rotate-vault-key.md?raw";
import rpcDead from "../../../docs/runbooks/rpc-dead.md?raw";
import screening from "../../../docs/runbooks/screening.md?raw";
import signingJournal from "../../../docs/runbooks/signing-journal.md?raw";
import startLive from "../../../docs/runbooks/start-live.md?raw";
import suspense from "../../../docs/runbooks/suspense.md?raw";
import treasuryEmpty from "../../../docs/runbooks/treasury-empty.md?raw";
import treasuryWithdrawal from "../../../docs/runbooks/treasury-withdrawal.md?raw";
import tronCanary from "../../../docs/runbooks/tron-canary.md?raw";
import upgrade from "../../../docs/runbooks/upgrade.md?raw";
import webDown from "../../../docs/runbooks/web-down.md?raw";
import workerDown from "../../../docs/runbooks/worker-down.md?raw";

/** Each runbook of `docs/runbooks`, and their list. They are part of the build, so they can be read during any outage. */
export const RUNBOOK_INDEX: string = index;
export const RUNBOOK_TEXTS: Record<Runbook, string> = {
  "above-cap": aboveCap,
  "approvals-waiting": approvalsWaiting,
  attestations,
  "audit-log": auditLog,
  backup,
  "callbacks-undelivered": callbacksUndelivered,
  citus,
  "database-away": databaseAway,
  failover,
  "fiat-provider": fiatProvider,
  halts,
  "held-payments": heldPayments,
  "identity-provider-gone": identityProviderGone,
  keys,
  "leaked-key": leakedKey,
  "log-ins": logIns,
  "lost-phone": lostPhone,
  "managed-postgresql": managedPostgresql,
  "needs-review": needsReview,
  "objective-missed": objectiveMissed,
  packages,
  packing,
  "payments-waiting": paymentsWaiting,
  pgbouncer,
  "rates-stale": ratesStale,
  reconciliation,
  replica,
  retention,
  "rotate-vault-key": rotateVaultKey,
  "rpc-dead": rpcDead,
  screening,
  "signing-journal": signingJournal,
  "start-live": startLive,
  suspense,
  "treasury-empty": treasuryEmpty,
  "treasury-withdrawal": treasuryWithdrawal,
  "tron-canary": tronCanary,
  upgrade,
  "web-down": webDown,
  "worker-down": workerDown,
};
