import postgres from "postgres";

/** The driver's error behind whatever wraps it: drizzle puts its own error around each failed query. */
export function databaseErrorOf(error: unknown): postgres.PostgresError | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if (current instanceof postgres.PostgresError) return current;
  }
  return null;
}

/** PostgreSQL's answer to every statement after a failed one. */
const BEHIND_A_FAILURE = "25P02";

/** Whether a statement failed only because an earlier one in its transaction had. */
export function isBehindAFailure(error: unknown): boolean {
  return databaseErrorOf(error)?.code === BEHIND_A_FAILURE;
}

/**
 * Of several errors in one transaction, the one that came first: statements after it fail without a reason of their own, and their errors
 * may arrive earlier.
 */
export function firstCause(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isBehindAFailure(error)) ?? errors[0];
}

/** Whether a write failed because the value must be unique, under the constraint or index of that name, or a part's of it: with its number. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const trouble = databaseErrorOf(error);
  // What one of Citus's nodes refused has the name in its message only.
  const name = trouble?.constraint_name ?? /constraint "([^"]+)"/.exec(trouble?.message ?? "")?.[1];
  return trouble?.code === "23505" && name?.replace(/_\d+$/, "") === constraint;
}

/** What the database's server answers to a connection or a statement, and what to do about it. */
const ANSWERS: readonly { codes: readonly string[]; sentence: (variable: string, said: string) => string }[] = [
  {
    codes: ["28P01", "28000"],
    sentence: (name, said) => `The database's server refuses the log-in of ${name} (${said}): correct its user or password.`,
  },
  { codes: ["3D000"], sentence: (name, said) => `The server of ${name} has no such database (${said}): create it, or correct ${name}.` },
  {
    codes: ["42501"],
    sentence: (name, said) =>
      said.includes("set role")
        ? `The log-in of ${name} may not work as its process (${said}): make it a member of that role, see docs/runbooks/log-ins.md.`
        : `The role of ${name} may not do that (${said}): it must own the database and what is in it.`,
  },
  {
    codes: ["08P01"],
    sentence: (name, said) =>
      `What answers at ${name} is no PostgreSQL but a pooler (${said}): name the database itself, and see docs/runbooks/pgbouncer.md.`,
  },
  {
    codes: ["53300"],
    sentence: (name, said) => `The server of ${name} has no connection left (${said}): raise its max_connections, or end what holds them.`,
  },
  { codes: ["57P03"], sentence: (name, said) => `The database of ${name} is not ready yet (${said}): try again in a moment.` },
];
const AWAY = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "ENOENT",
];

/** Connections, log-ins, no such database, resources, shutdown, a failing disk, a server that only reads. */
const EVERYBODYS = ["08", "28", "3D", "53", "57", "58", "25"];

/** Whether one of Citus's nodes is away, or went in the middle. Only statements about the rows on that node fail with it. */
function isNodeAway(error: unknown): boolean {
  return /\bremote node\b|^failure on connection marked as essential\b/.test(databaseErrorOf(error)?.message ?? "");
}

/** The answer; null: it needs a node of Citus that is away. */
export async function unlessNodeAway<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (isNodeAway(error)) return null;
    throw error;
  }
}

/** Whether the database itself is in trouble, rather than the caller's data or a lock: every caller would get this error. */
export function isEverybodys(error: unknown): boolean {
  if (isNodeAway(error)) return false;
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const code = "code" in current && typeof current.code === "string" ? current.code : "";
    if (code === BEHIND_A_FAILURE) return false;
    if (AWAY.includes(code) || (current instanceof postgres.PostgresError && EVERYBODYS.includes(code.slice(0, 2)))) return true;
  }
  return false;
}

const firstLine = (text: string) => text.split("\n")[0] ?? "";

/** One sentence about a failure between us and a database; null for any other error. */
export function explainDatabase(error: unknown, variable: string): string | null {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if (isNodeAway(current))
      return `A node of Citus behind ${variable} does not answer (${firstLine(current.message)}): start it, and try again.`;
    if (current.name === "UnknownSchema") return `The database of ${variable}: ${current.message}`;
    const code = "code" in current && typeof current.code === "string" ? current.code : null;
    if (code === null) continue;
    const said = current.message || code;
    const answer = ANSWERS.find(({ codes }) => codes.includes(code));
    if (answer) return answer.sentence(variable, said);
    if (AWAY.includes(code)) return `The database of ${variable} does not answer (${said}): start it, or correct ${variable}.`;
  }
  return null;
}
