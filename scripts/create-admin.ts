/**
 * `node scripts/create-admin.ts NAME EMAIL` creates one of the first two admins of an installation, whom nobody could approve; also the
 * second one again when only one is left. It needs the environment of a web process, and prints a password only once. The password is for
 * the first sign-in, which sets up two factors; then it is changed under Account.
 */
import { createFirstAdmin } from "#server/services/people/create-operator.ts";
import { runCommand } from "./command.ts";
import { withWiring } from "./wired.ts";

const [name = "", email = ""] = process.argv.slice(2);

async function main(): Promise<number> {
  if (name.trim() === "" || !/^[^@\s]+@[^@\s]+$/.test(email)) {
    process.stderr.write("Usage: node scripts/create-admin.ts NAME EMAIL\n");
    return 2;
  }
  return await withWiring(async ({ ctx }) => {
    process.stdout.write(`${JSON.stringify(await createFirstAdmin(ctx, { name: name.trim(), email }))}\n`);
  });
}

await runCommand(main);
