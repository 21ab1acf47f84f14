import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/**
 * A person's password and authenticator. No role of the web process may select or update these columns of `users`; functions of the database
 * give and change them for one person. Work in the name of a person reaches that person's alone (docs/decisions/second-line.md).
 */
export type PersonSecrets = {
  passwordHash: string;
  /** The encrypted secret of the one-time codes; null: no codes. */
  sealedTotpSecret: string | null;
  /** A secret that was shown and is not confirmed by a code yet; encrypted. */
  sealedTotpDraft: string | null;
};

/** Null for an unknown person, and for one whose secrets this work may not see. */
export async function readSecrets(db: Database, userId: string): Promise<PersonSecrets | null> {
  const [row] = await db.execute<PersonSecrets>(sql`
    select password_hash as "passwordHash", sealed_totp_secret as "sealedTotpSecret", sealed_totp_draft as "sealedTotpDraft"
    from secrets_of_person(${userId}::uuid)`);
  return row ?? null;
}

/** Changes what is named, and nothing else. Fails for a person whose secrets this work may not change. */
export async function changeSecrets(
  db: Database,
  userId: string,
  { passwordHash, sealedTotpSecret, sealedTotpDraft, lastTotpStep }: Partial<PersonSecrets & { lastTotpStep: number }>,
): Promise<void> {
  const change = {
    password_hash: passwordHash,
    sealed_totp_secret: sealedTotpSecret,
    sealed_totp_draft: sealedTotpDraft,
    last_totp_step: lastTotpStep,
  };
  await db.execute(sql`select change_secrets_of_person(${userId}::uuid, ${JSON.stringify(change)}::jsonb)`);
}

/** Uses up the one-time code of a half minute. Answers false when it, or a later one, was used before: of two at once, one wins. */
export async function spendTotpStep(db: Database, userId: string, step: number): Promise<boolean> {
  const [row] = await db.execute<{ spent: boolean }>(sql`select spend_totp_step(${userId}::uuid, ${step}::integer) as spent`);
  return row?.spent === true;
}

/** Takes a lost authenticator from a person, for who manages people. Fails for a person of another side. */
export async function forgetAuthenticator(db: Database, userId: string): Promise<void> {
  await db.execute(sql`select forget_authenticator(${userId}::uuid)`);
}
