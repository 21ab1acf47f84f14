import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { users } from "#db/schema/users.ts";
import { hashPassword } from "#server/adapters/passwords.ts";
import type { By, Person, UserRole } from "#server/domain/access.ts";

/** What tests about people stand on: users as the real services would write them. */

export const PASSWORD = "vellum-otter-92-quay";
let passwordHash: Promise<string> | undefined;

export type TestPerson = { id: string; email: string; by: By & { actor: Person } };

/** Somebody who signs in with {@link PASSWORD}. */
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
  return { id, email, by: { actor: { type: "user", userId: id, role, partnerId }, requestId: null } };
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
