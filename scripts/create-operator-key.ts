/**
 * `npm run create-operator-key -- NAME EMAIL [SCOPES]` issues an operator's API key that counts as the admin of that address; scopes
 * with commas between them, `read` when left out in live mode. It wants the environment of a web process, and prints the key and its secret this once. In
 * live mode it opens nothing before another admin has confirmed it in the console, under Proposals.
 */
import { z } from "zod";
import { OPERATOR_SCOPES } from "#domain/access.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { runCommand } from "./command.ts";
import { inNameOf, withWiring } from "./wired.ts";

const Scopes = z.array(z.enum(OPERATOR_SCOPES)).min(1).optional();
const [name = "", email = "", scopes] = process.argv.slice(2);

async function main(): Promise<number> {
  if (name.trim() === "" || email.trim() === "") {
    process.stderr.write(`Usage: npm run create-operator-key -- NAME EMAIL [${OPERATOR_SCOPES.join(",")}]\n`);
    return 2;
  }
  const wanted = Scopes.parse(scopes?.split(","));
  return await withWiring(async ({ ctx, config }) => {
    const by = await inNameOf(ctx.db, email);
    const mode = config.mode === "live" ? "live" : "test";
    const key = await createApiKey(ctx, { by, mode, partnerId: null, name, ...(wanted && { scopes: wanted }) });
    const told = { id: key.id, api_key: key.apiKey, api_secret: key.apiSecret, scopes: key.scopes, proposal_id: key.proposalId };
    process.stdout.write(`${JSON.stringify(told)}\n`);
  });
}

await runCommand(main);
