import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { withCertificate } from "#db/driver/client-certificate.ts";
import { explainDatabase } from "#db/trouble.ts";
import { errorCode, Trouble } from "./trouble.ts";

/** The oldest Node that runs this code. For macOS on ARM the registry has none newer than 22. */
const LEAST_NODE = process.platform === "darwin" && process.arch === "arm64" ? [22, 18] : [24, 0];

/** Says what to do when the scripts run on an old Node: the packages that carry the right one are optional and may be missing. */
export function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new Trouble(
    `This is Node ${process.versions.node}, and it takes ${LEAST_NODE.join(".")} or newer: run \`npm ci\` with optional packages, or install that Node.`,
  );
}

/** Says so before the long steps, not after them, when the port is taken. */
export async function checkPort(port: number, host: string): Promise<void> {
  const trouble = await new Promise<string | null>((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(errorCode(error) ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
  if (trouble === "EADDRINUSE")
    throw new Trouble(`Port ${port} is in use by another program: stop that one, or choose another port with PORT=….`);
  if (trouble === "EACCES") throw new Trouble(`Port ${port} may not be opened by this user: choose one above 1023 with PORT=….`);
  if (trouble !== null) throw new Trouble(`Nothing can listen on ${host}, port ${port} (${trouble}): choose others with HOST and PORT.`);
}

/** The web process serves what was built; the development mode builds as it goes. */
export function checkBuild(): void {
  if (existsSync(fileURLToPath(new URL("../../.next/BUILD_ID", import.meta.url)))) return;
  throw new Trouble("The pages are not built: start with `npm start`, or run `npm run build` first.");
}

/**
 * Says what is wrong with a database in one sentence, by the name of the variable that leads there: away, too old, too little allowed.
 *
 * @returns whether the log-in owns the database, and so may migrate it.
 */
export async function checkDatabase(url: string, variable = "DATABASE_URL"): Promise<boolean> {
  try {
    return await inspect(url, variable);
  } catch (error) {
    const sentence = error instanceof Trouble ? null : explainDatabase(error, variable);
    throw sentence === null ? error : new Trouble(sentence);
  }
}

async function inspect(url: string, variable: string): Promise<boolean> {
  const sql = postgres(...withCertificate(url, { max: 1, connect_timeout: 5, onnotice: () => {}, connection: { role: "none" } }));
  try {
    const [found] = await sql<{ version: number; owns: boolean }[]>`
      select current_setting('server_version_num')::int as version, pg_has_role(current_user, datdba, 'usage') as owns
      from pg_database where datname = current_database()`;
    const { version = 0, owns = false } = found ?? {};
    if (version < 150_000) throw new Trouble(`The database of ${variable} is older than PostgreSQL 15: use a newer server.`);
    return owns;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
