import type { z } from "zod";
import type { authViewSchema } from "#contract/partner/access.ts";
import { createAdminOperation, loginOperation, logoutOperation, readAdminsMeOperation } from "#contract/partner/people-operations.ts";
import { instant } from "#contract/primitives.ts";
import { Refusal } from "#domain/refusal.ts";
import { createOperator } from "#server/services/people/create-operator.ts";
import { type Operator, readOperator } from "#server/services/people/read-people.ts";
import { logIn, logOut } from "#server/services/people/sessions/access-tokens.ts";
import { type Binding, bind } from "./bind.ts";

export const PEOPLE: readonly Binding[] = [
  bind(loginOperation, async (ctx, { body, address, requestId }) => {
    const credentials = { email: body.username, password: body.password, otp: body.otp || null, address, requestId };
    const { accessToken, expiresIn } = await logIn(ctx, credentials);
    return { body: { access_token: accessToken, token_type: "bearer" as const, expires_in: expiresIn } };
  }),
  bind(logoutOperation, async (ctx, { by, tokenId }) => {
    if (tokenId === null) throw new Refusal("invalid_token", { detail: "The request carries no access token." });
    await logOut(ctx, { by, tokenId });
    return { body: undefined };
  }),
  bind(readAdminsMeOperation, async (ctx, { by }) => ({ body: renderOperator(await readOperator(ctx, by.actor)) })),
  bind(createAdminOperation, async (ctx, { by, body }) => {
    const { username: email, password, name, role } = body;
    const { proposalId, ...operator } = await createOperator(ctx, { by, email, password, name, role });
    if (proposalId === null) return { body: renderOperator(operator) };
    return { body: { ...renderOperator(operator), proposal_id: proposalId }, status: 202 as const };
  }),
];

function renderOperator({ id, email, name, role, createdAt }: Operator): z.infer<typeof authViewSchema> {
  return { id, username: email, name, role, created_at: instant(createdAt) };
}
