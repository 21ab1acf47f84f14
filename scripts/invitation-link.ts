/**
 * `node scripts/invitation-link.ts EMAIL` prints a link for the open invitation of that address, for an installation without mail. In live
 * mode nobody sees the link of a person who decides, and the worker mails it. Former links of the invitation no longer work. It needs the
 * environment of a web process.
 */
import { printInvitationLink } from "#server/services/people/invitations/hand-over-invitation.ts";
import { runCommand } from "./command.ts";
import { withWiring } from "./wired.ts";

const [email = ""] = process.argv.slice(2);

async function main(): Promise<number> {
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
    process.stderr.write("Usage: node scripts/invitation-link.ts EMAIL\n");
    return 2;
  }
  return await withWiring(async ({ ctx, config }) => {
    const { link, expiresAt } = await printInvitationLink(ctx, { email, baseUrl: config.baseUrl });
    process.stdout.write(`${JSON.stringify({ link, expires_at: expiresAt.toISOString() })}\n`);
  });
}

await runCommand(main);
