import type { Variables } from "./variables.ts";

/** The mail server; null: none. */
export type MailSettings = { url: string; from: string; mayBePlain: boolean } | null;

/**
 * For the worker, which sends the mail. The web process knows by MAIL_FROM alone that mail is sent.
 *
 * @param report gets each fault as a plain sentence
 */
export function readMail({ SMTP_URL: url, MAIL_FROM: from }: Variables, report: (problem: string) => void): MailSettings {
  if (url === undefined) {
    if (from !== undefined) report("MAIL_FROM is set without SMTP_URL: no mail goes out; set both or none.");
    return null;
  }
  if (from === undefined) report("MAIL_FROM is missing: SMTP_URL sends mail, and it has to come from somebody.");
  const { protocol, hostname } = new URL(url);
  return { url, from: from ?? "", mayBePlain: protocol === "smtp:" && (hostname === "localhost" || hostname === "127.0.0.1") };
}
