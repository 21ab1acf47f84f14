/**
 * `node scripts/create-admin.ts NAME EMAIL` makes one of the first two admins of an installation, whom nobody could confirm; also the
 * second one again when only one is left. It wants the environment of a web process, and prints a password this once: it is for the first
 * sign-in, where two factors are set up, and is changed then under Account.
 */
import { createFirstAdmin } from "#server/services/people/create-first-admin.ts";
import { webWiring } from "#server/wiring.ts";

async function main([name = "", email = ""]: string[]): Promise<number> {
  if (name.trim() === "" || !/^[^@\s]+@[^@\s]+$/.test(email)) {
    process.stderr.write("Usage: node scripts/create-admin.ts NAME EMAIL\n");
    return 2;
  }
  const { ctx, database } = webWiring();
  try {
    process.stdout.write(`${JSON.stringify(await createFirstAdmin(ctx, { name: name.trim(), email }))}\n`);
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
