/**
 * `npm run status-note` lists the incidents of the public status page. `npm run status-note -- si_… "TEXT"` adds a note that everybody can
 * read there. It needs the environment of a web process.
 */
import { noteIncident, readStatus } from "#server/services/maintenance/service-status.ts";
import { runCommand } from "./command.ts";
import { withWiring } from "./wired.ts";

const [incident, text, ...more] = process.argv.slice(2);

async function main(): Promise<number> {
  if (more.length > 0 || (incident !== undefined && text === undefined)) {
    process.stderr.write('Usage: npm run status-note [-- INCIDENT "TEXT"]\n');
    return 2;
  }
  return await withWiring(async ({ ctx }) => {
    if (incident !== undefined && text !== undefined) await noteIncident(ctx, incident, text);
    for (const { id, cause, chain, beganAt, endedAt, notes } of (await readStatus(ctx)).incidents)
      process.stdout.write(`${JSON.stringify({ id, cause, chain, began_at: beganAt, ended_at: endedAt, notes })}\n`);
  });
}

await runCommand(main);
