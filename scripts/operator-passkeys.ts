/**
 * `npm run operator-passkeys` lists every passkey that the operator's people have registered, with its fingerprint. Its last line is the setting with
 * which the signer believes these and no others: read the list first, with those people (docs/decisions/signed-decisions.md). It changes nothing, and
 * needs the environment of a web process.
 */
import { listOperatorPasskeys } from "#server/services/people/second-factor/list-operator-passkeys.ts";
import { runCommand } from "./command.ts";
import { withWiring } from "./wired.ts";

async function main(): Promise<number> {
  return await withWiring(async ({ ctx }) => {
    const keys = await listOperatorPasskeys(ctx);
    for (const { fingerprint, email, name, registeredAt } of keys)
      process.stdout.write(`${fingerprint}  ${email}, ${name}, since ${registeredAt.toISOString()}\n`);
    process.stdout.write(`TRUSTED_PASSKEYS=${keys.map(({ fingerprint }) => fingerprint).join(",")}\n`);
  });
}

await runCommand(main);
