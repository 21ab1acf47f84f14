import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { users } from "#db/schema/people.ts";
import type { By, ByPerson, OperatorRole, Proof, UserRole } from "#domain/access.ts";
import { hashPassword } from "#server/adapters/passwords.ts";

/** Set-up for tests about people: users as the real services would write them. */

export const PASSWORD = "vellum-otter-92-quay";
let passwordHash: Promise<string> | undefined;

export type TestPerson = { id: string; email: string; by: ByPerson };

/** A user with {@link PASSWORD} who has just signed in. */
export async function addPerson(
  db: Database,
  role: UserRole,
  partnerId: string | null = null,
  values: Partial<typeof users.$inferInsert> = {},
): Promise<TestPerson> {
  passwordHash ??= hashPassword(PASSWORD);
  const id = randomUUID();
  const email = `${id}@example.com`;
  const fixed = { id, email, name: `A ${role}`, passwordHash: await passwordHash, role, partnerId, createdAt: new Date() };
  await db.insert(users).values({ ...fixed, ...values });
  return {
    id,
    email,
    by: { actor: { type: "user", userId: id, role, partnerId }, requestId: null, proof: justProven() },
  };
}

/** As at the end of a sign-in with only a password. */
export function justProven(): Proof {
  return { at: new Date(), byCode: false };
}

/** What a session that was left open has proven: five minutes ago to the millisecond. */
export function longProven(): Proof {
  return { at: new Date(Date.now() - 5 * 60_000), byCode: true };
}

const LONG_AGO_MS = 2 * 86_400_000;

/** An operator's user with two factors and a confirmed device, created two days ago, who has just entered a one-time code. */
export async function addProvenPerson(
  db: Database,
  role: OperatorRole,
  values: Partial<typeof users.$inferInsert> = {},
): Promise<TestPerson> {
  const old = { createdAt: new Date(Date.now() - LONG_AGO_MS), sealedTotpSecret: "sealed", deviceConfirmedAt: new Date() };
  const person = await addPerson(db, role, null, { ...old, ...values });
  return { ...person, by: { ...person.by, proof: { at: new Date(), byCode: true } } };
}

/** An operator's key, two days old, that acts for its maker; null: it was created on the machine. Nothing can be signed with it. */
export async function addOperatorKey(db: Database, madeBy: string | null, values: Partial<typeof apiKeys.$inferInsert> = {}): Promise<By> {
  const id = randomUUID();
  await db.insert(apiKeys).values({
    id,
    partnerId: null,
    name: "A robot",
    keyHash: id,
    lastFour: "0000",
    sealedSecret: "none",
    scopes: [],
    allowedIps: [],
    createdAt: new Date(Date.now() - LONG_AGO_MS),
    madeBy,
    ...values,
  });
  return { actor: { type: "operator_key", apiKeyId: id }, requestId: null };
}

/** The code of the refusal that the work ends in; null: it does not. */
export async function refusalOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Error && "code" in error) return String(error.code);
    throw error;
  }
}
