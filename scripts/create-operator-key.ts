/**
 * `npm run create-operator-key -- NAME EMAIL [SCOPES]` issues an operator's API key that counts as the admin of that address; scopes
 * with commas between them, `read` when left out in live mode. It wants the environment of a web process, and prints the key this once. In
 * live mode it opens nothing before another admin has confirmed it in the console, under Proposals.
 */
import { z } from "zod";
import { findUserByEmail } from "#db/queries/people/users.ts";
import { OPERATOR_SCOPES } from "#domain/access.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { webWiring } from "#server/wiring.ts";

const Scopes = z.array(z.enum(OPERATOR_SCOPES)).min(1).optional();

async function main([name = "", email = "", scopes]: string[]): Promise<number> {
  if (name.trim() === "" || email.trim() === "") {
    process.stderr.write(`Usage: npm run create-operator-key -- NAME EMAIL [${OPERATOR_SCOPES.join(",")}]\n`);
    return 2;
  }
  const wanted = Scopes.parse(scopes?.split(","));
  const { ctx, config, database } = webWiring();
  try {
    const user = await findUserByEmail(ctx.db, email.trim().toLowerCase());
    if (user === null || user.disabledAt !== null || user.partnerId !== null) throw new Error(`${email} is none of the operator's people.`);
    // Whoever runs commands on this machine has more in hand than a password.
    const proof = { at: new Date(), byCode: false };
    const by = { actor: { type: "user", userId: user.id, role: user.role, partnerId: null }, requestId: null, proof } as const;
    const mode = config.mode === "live" ? "live" : "test";
    const key = await createApiKey(ctx, { by, mode, partnerId: null, name, ...(wanted && { scopes: wanted }) });
    process.stdout.write(`${JSON.stringify({ id: key.id, api_key: key.apiKey, scopes: key.scopes, proposal_id: key.proposalId })}\n`);
    return 0;
  } finally {
    await database.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
