import { operatorKeyBody } from "#contract/proposal-bodies.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type By, OPERATOR_SCOPES } from "#domain/access.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";
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
  async carryOut(ctx, { by, proposer, subject, body }) {
    const createdAt = await readBusinessNow(ctx.db);
    const actor = proposer.type === "user" ? ({ type: "user", userId: proposer.id, role: "admin", partnerId: null } as const) : null;
    const key = {
      id: subject,
      partnerId: null,
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
  },
};

/** In the sandbox the key works at once; in live mode once another person has confirmed it. */
export async function proposeOperatorKey(ctx: Uses<"db" | "clock" | "vault" | "mode">, by: By, drawn: DrawnKey): Promise<CreatedApiKey> {
  const body = {
    name: drawn.name,
    key_hash: drawn.keyHash,
    last_four: drawn.lastFour,
    sealed_secret: ctx.vault.seal(drawn.apiSecret, secretOfKey(drawn.id)),
    scopes: OPERATOR_SCOPES.filter((scope) => drawn.scopes.includes(scope)),
    allowed_ips: [...drawn.allowedIps],
    signed_management: drawn.signedManagement,
    expires_at: drawn.expiresAt?.toISOString() ?? null,
  };
  const { proposal, result } = await propose(ctx, OPERATOR_KEY, { by, subject: drawn.id, body, reason: null });
  const times = { createdAt: result ?? proposal.proposedAt, revokedAt: null, lastUsedAt: null, lastUsedAddress: null };
  const madeBy = await principalOf(ctx.db, by.actor);
  return { ...drawn, ...times, madeBy, madeByKey: keyOf(by.actor), rotatedFrom: null, proposalId: result === null ? proposal.id : null };
}
