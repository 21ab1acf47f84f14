import type { Mailer } from "#server/ports.ts";

export type MailConfig = {
  /** `smtp://` or `smtps://`, with name and password if the server needs them. */
  url: string;
  from: string;
  /** Whether mail may travel unencrypted: only to this machine. */
  mayBePlain: boolean;
};

/** Whatever the server does, a try ends within this. */
const DEADLINE_MS = 20_000;
const PART_MS = 10_000;

/** Loaded by the first mail, since it is large. */
const library = async () => (await import("nodemailer")).default;

/**
 * Mail by SMTP: one connection per message, so that a hanging one blocks nobody. Null: this process sends none. `available`: whether another
 * one does.
 */
export function createMailer(config: MailConfig | null, available = config !== null): Mailer {
  if (config === null) return { available, send: async () => ({ outcome: "refused", trouble: "This process sends no mail." }) };
  return {
    available: true,
    async send({ id, to, subject, text }) {
      const transport = (await library()).createTransport({
        url: config.url,
        requireTLS: !config.mayBePlain,
        connectionTimeout: PART_MS,
        greetingTimeout: PART_MS,
        socketTimeout: PART_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error("late")), DEADLINE_MS);
      });
      try {
        const messageId = `<${id}@${hostOf(config.from)}>`;
        // No machine answers it, and none forwards it as a person's own.
        const headers = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };
        await Promise.race([transport.sendMail({ messageId, from: config.from, to, subject, text, headers }), late]);
        return { outcome: "sent" };
      } catch (error) {
        return troubleOf(error);
      } finally {
        clearTimeout(timer);
        transport.close();
      }
    },
  };
}

/** The server's text may contain addresses and names, so only its code is kept. */
function troubleOf(error: unknown): { outcome: "refused" | "unreachable"; trouble: string } {
  const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  if (code >= 500) return { outcome: "refused", trouble: `The mail server refused it for good (${code}).` };
  if (code >= 400) return { outcome: "unreachable", trouble: `The mail server cannot take it just now (${code}).` };
  return { outcome: "unreachable", trouble: "The mail server could not be reached, or did not finish in time." };
}

function hostOf(from: string): string {
  return /@([^@<>\s]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
}
