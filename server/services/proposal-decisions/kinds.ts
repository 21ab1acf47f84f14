import { listDecidedProposals, listOpenProposals } from "#db/queries/proposals/proposals.ts";
import type { OperatorPermission } from "#domain/access.ts";
import type { Proposal } from "#domain/approval.ts";
import type { Uses } from "#server/context.ts";
import { OPERATOR_KEY, PARTNER_KEY } from "#server/services/access/propose-key.ts";
import { APPROVAL_POLICY } from "#server/services/approval-policy/set-policy.ts";
import { EXPOSURE_LIMIT } from "#server/services/exposure/set-limit.ts";
import { ORDER_RESOLUTION } from "#server/services/fiat/resolve-ambiguous.ts";
import { PAYMENT_RELEASE } from "#server/services/holds/decide-hold.ts";
import { BOOKING_REVERSAL, BOOKINGS } from "#server/services/ledger/declare-bookings.ts";
import { POOL_FUNDING } from "#server/services/ledger/fund-pool.ts";
import { OPERATOR } from "#server/services/people/create-operator.ts";
import { INVITATION } from "#server/services/people/invitations/invite-person.ts";
import { ROLE } from "#server/services/people/manage-people.ts";
import { type CarryOut, type ProposalKind, prepareAction } from "#server/services/proposals/propose.ts";
import { PAIR_TERMS } from "#server/services/rates/change-terms.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { TREASURY_LOSS } from "#server/services/treasury/book-loss.ts";
import { transferCancellation } from "#server/services/treasury/cancel-transfer.ts";
import { WALLET_ACTIVATION } from "#server/services/treasury/change-wallet-state.ts";
import { LEDGER_CORRECTION } from "#server/services/treasury/correct-entry.ts";
import { TREASURY_FUNDING } from "#server/services/treasury/declare-funding.ts";
import { MOVEMENT_EXPLANATION } from "#server/services/treasury/explain-movement.ts";
import { HALT_LIFT } from "#server/services/treasury/lift-halt.ts";
import { SAFE_OWNER_SWAP } from "#server/services/treasury/replace-safe-owner.ts";
import { transferResolution } from "#server/services/treasury/resolve-review.ts";
import { RESTORED_PAYMENT } from "#server/services/treasury/restore-payment.ts";

/** What executing a proposal needs besides the database. Add what a new kind needs; the compiler then asks for it. */
export type ProposalPowers = Uses<"chains" | "clock" | "evm" | "lapsing" | "mode">;

/** Every action that needs a second person in live mode, one per line. */
const PROPOSAL_KINDS: readonly KnownKind[] = [
  known(PAIR_TERMS),
  known(OPERATOR_KEY),
  known(PARTNER_KEY),
  known(OPERATOR),
  known(INVITATION),
  known(ROLE),
  known(HALT_LIFT),
  known(RESTORED_PAYMENT),
  known(TREASURY_LOSS),
  known(TREASURY_FUNDING),
  known(MOVEMENT_EXPLANATION),
  known(LEDGER_CORRECTION),
  known(EXPOSURE_LIMIT),
  known(APPROVAL_POLICY),
  known(SAFE_OWNER_SWAP),
  known(transferResolution(completeOwner)),
  known(transferCancellation(completeOwner)),
  known(WALLET_ACTIVATION),
  known(PAYMENT_RELEASE),
  known(ORDER_RESOLUTION),
  known(POOL_FUNDING),
  known(BOOKINGS),
  known(BOOKING_REVERSAL),
];

/** A kind with its own type of body. */
export type KnownKind = {
  kind: string;
  permission: OperatorPermission;
  isSigned: true | undefined;
  read(body: unknown): KnownBody;
};
type KnownBody = {
  shown: Record<string, unknown>;
  prepare(ctx: ProposalPowers & Uses<"db">): Promise<CarryOut<ProposalPowers, unknown>>;
};

export function kindOf(name: string): KnownKind {
  const kind = PROPOSAL_KINDS.find((each) => each.kind === name);
  if (kind === undefined) throw new Error(`there is no kind of proposal called ${name}`);
  return kind;
}

function known<Body, Result, Found>(kind: ProposalKind<Body, Result, ProposalPowers, Found>): KnownKind {
  return {
    kind: kind.kind,
    permission: kind.permission,
    isSigned: kind.isSigned,
    read(stored) {
      const body = kind.schema.parse(stored);
      return { shown: kind.show(body), prepare: (ctx) => prepareAction(ctx, kind, body) };
    },
  };
}

/** Nobody reads more of them at once. */
const SHOWN = 100;

/** A proposal with what may be seen of its body, and never the body itself. */
export type ShownProposal = Omit<Proposal, "body"> & { shown: Record<string, unknown> };

/** What awaits a second person, the oldest first, and what was decided lately. */
export async function listProposals(ctx: Uses<"db">): Promise<{ open: ShownProposal[]; decided: ShownProposal[] }> {
  const [open, decided] = await Promise.all([listOpenProposals(ctx.db, SHOWN), listDecidedProposals(ctx.db, SHOWN)]);
  return { open: open.map(show), decided: decided.map(show) };
}

function show({ body, ...proposal }: Proposal): ShownProposal {
  return { ...proposal, shown: kindOf(proposal.kind).read(body).shown };
}
