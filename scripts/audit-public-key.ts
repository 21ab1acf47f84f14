/**
 * `AUDIT_KEY=… node scripts/audit-public-key.ts` prints the public half: `AUDIT_PUBLIC_KEY` for a web process that is started separately
 * from the worker, and for auditors.
 */
import { publicHalfOf } from "#domain/audit-key.ts";
import { runCommand } from "./command.ts";

async function main(): Promise<number> {
  const secret = Buffer.from(process.env.AUDIT_KEY ?? "", "base64");
  if (secret.length !== 32) throw new Error("AUDIT_KEY is missing: 32 bytes in base64.");
  process.stdout.write(`${publicHalfOf(secret).toString("base64")}\n`);
  return 0;
}

await runCommand(main);
