/**
 * `node scripts/confirm-device.ts EMAIL` confirms the devices of one of the operator's people who decides: of the first admin, whom nobody
 * else could confirm, and of anyone when no other admin is left who may. It prints their names. It needs the environment of a web process.
 */
import { confirmDevicesOnMachine } from "#server/services/people/second-factor/confirm-device.ts";
import { runCommand } from "./command.ts";
import { withWiring } from "./wired.ts";

const [email = ""] = process.argv.slice(2);

async function main(): Promise<number> {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
    process.stderr.write("Usage: node scripts/confirm-device.ts EMAIL\n");
    return 2;
  }
  return await withWiring(async ({ ctx }) => {
    process.stdout.write(`${JSON.stringify(await confirmDevicesOnMachine(ctx, email))}\n`);
  });
}

await runCommand(main);
