import postgres from "postgres";

/** The driver's error behind whatever wraps it: drizzle puts its own error around each failed query. */
export function databaseErrorOf(error: unknown): postgres.PostgresError | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if (current instanceof postgres.PostgresError) return current;
  }
  return null;
}

/** Whether a write failed because the value must be unique, under the constraint or index of that name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const trouble = databaseErrorOf(error);
  return trouble?.code === "23505" && trouble.constraint_name === constraint;
}
