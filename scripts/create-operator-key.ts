/**
 * `npm run create-operator-key -- NAME EMAIL [SCOPES]` issues an operator's API key that acts for the admin with that address; scopes are
 * separated by commas, default `read` in live mode. It needs the environment of a web process, and prints the key and its secret only once.
 * In live mode the key is inactive until another admin confirms it in the console, under Proposals.
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
    const printed = { id: key.id, api_key: key.apiKey, api_secret: key.apiSecret, scopes: key.scopes, proposal_id: key.proposalId };
    process.stdout.write(`${JSON.stringify(printed)}\n`);
  });
}

await runCommand(main);
