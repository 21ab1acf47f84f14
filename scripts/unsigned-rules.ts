/**
 * `npm run unsigned-rules` lists the rules in force that no passkey has signed: terms, limits, approval policy and lifts of halts that commands on
 * the machine have set, or people before decisions were signed. Its last line is the setting with which the signer accepts all of them: read the
 * list first (docs/decisions/signed-rules.md). It changes nothing, and needs the environment of a web process.
 */
import { listUnsignedRules } from "#server/services/rates/list-unsigned-rules.ts";
import { runCommand } from "./command.ts";
import { withWiring } from "./wired.ts";

async function main(): Promise<number> {
  return await withWiring(async ({ ctx }) => {
    const rules = await listUnsignedRules(ctx);
    for (const { what, fingerprint } of rules) process.stdout.write(`${fingerprint}  ${what}\n`);
    process.stdout.write(
      rules.length === 0
        ? "A passkey has signed every rule in force.\n"
        : `ACCEPTED_RULES=${rules.map(({ fingerprint }) => fingerprint).join(",")}\n`,
    );
  });
}

await runCommand(main);
