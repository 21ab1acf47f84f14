import { operatorKeyBody, partnerKeyBody } from "#contract/proposal-bodies.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type By, OPERATOR_SCOPES, SCOPES, type Scope } from "#domain/access.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import type { Uses } from "#server/context.ts";
import { type Order, type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { type CreatedApiKey, type DrawnKey, insertIssuedKey, keyOf, principalOf } from "./issue-api-key.ts";

type Body = ReturnType<typeof operatorKeyBody.parse>;

/**
 * A new operator's key. The proposer gets key and secret, and the key acts for the proposer. Until a second person approves, it exists only
 * in the proposal and grants no access.
 */
export const OPERATOR_KEY: ProposalKind<Body, Date, Uses<"clock">> = {
  kind: "operator_key",
  permission: "administer",
  schema: operatorKeyBody,
  show: ({ key_hash: _hash, sealed_secret: _secret, ...shown }) => shown,
  carryOut: (ctx, order) => addKey(ctx, { ...order, partnerId: null }),
};

/** A partner's key that the operator's side makes: its secret spends as the partner, so in live mode two people make it. */
export const PARTNER_KEY: ProposalKind<PartnerBody, Date, Uses<"clock">> = {
  kind: "partner_key",
  permission: "administer",
  schema: partnerKeyBody,
  show: ({ key_hash: _hash, sealed_secret: _secret, partner_id: _id, ...shown }) => shown,
  carryOut: (ctx, order) => addKey(ctx, { ...order, partnerId: order.body.partner_id }),
};

type PartnerBody = ReturnType<typeof partnerKeyBody.parse>;
type KeyOrder = Order<Omit<Body, "scopes"> & { scopes: readonly Scope[] }> & { partnerId: string | null };

async function addKey(ctx: Uses<"db" | "clock">, { by, proposer, subject, body, partnerId }: KeyOrder): Promise<Date> {
  const createdAt = await readBusinessNow(ctx.db);
  const actor = proposer.type === "user" ? ({ type: "user", userId: proposer.id, role: "admin", partnerId: null } as const) : null;
  const key = {
    id: subject,
    partnerId,
    name: body.name,
    keyHash: body.key_hash,
    lastFour: body.last_four,
    sealedSecret: body.sealed_secret,
    scopes: body.scopes,
    allowedIps: body.allowed_ips,
    signedManagement: body.signed_management ?? false,
    createdAt,
    expiresAt: body.expires_at === null ? null : new Date(body.expires_at),
    rotatedFrom: null,
    madeByKey: proposer.type === "operator_key" ? proposer.id : null,
    madeBy: await principalOf(ctx.db, actor ?? { type: "operator_key", apiKeyId: proposer.id }),
  };
  await insertIssuedKey(ctx.db, ctx, by, key);
  return createdAt;
}

/** In the sandbox the key works at once; in live mode once another person has confirmed it. */
export async function proposeKey(
  ctx: Uses<"db" | "clock" | "vault" | "mode">,
  by: By,
  drawn: DrawnKey,
  partner: { id: string; name: string } | null,
): Promise<CreatedApiKey> {
  const rights = {
    name: drawn.name,
    key_hash: drawn.keyHash,
    last_four: drawn.lastFour,
    sealed_secret: ctx.vault.seal(drawn.apiSecret, secretOfKey(drawn.id)),
    allowed_ips: [...drawn.allowedIps],
    signed_management: drawn.signedManagement,
    expires_at: drawn.expiresAt?.toISOString() ?? null,
  };
  const about = { by, subject: drawn.id, reason: null };
  const { proposal, result } =
    partner === null
      ? await propose(ctx, OPERATOR_KEY, { ...about, body: { ...rights, scopes: within(OPERATOR_SCOPES, drawn.scopes) } })
      : await propose(ctx, PARTNER_KEY, {
          ...about,
          body: { ...rights, scopes: within(SCOPES, drawn.scopes), partner_id: partner.id, partner: partner.name },
        });
  const times = { createdAt: result ?? proposal.proposedAt, revokedAt: null, lastUsedAt: null, lastUsedAddress: null, lastUses: {} };
  const madeBy = await principalOf(ctx.db, by.actor);
  return { ...drawn, ...times, madeBy, madeByKey: keyOf(by.actor), rotatedFrom: null, proposalId: result === null ? proposal.id : null };
}

function within<Own extends Scope>(own: readonly Own[], scopes: readonly Scope[]): Own[] {
  return own.filter((scope) => scopes.includes(scope));
}
