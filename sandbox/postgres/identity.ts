import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Trouble } from "#server/process/trouble.ts";

export type Identity = { uid: number; gid: number; name: string };

/** PostgreSQL refuses to run as root. As root it runs as `postgres`, or else `nobody`; as anybody else, as us (null). */
export function postgresIdentity(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    const uid = Number(fields?.[2]);
    const gid = Number(fields?.[3]);
    if (Number.isInteger(uid) && uid > 0 && Number.isInteger(gid)) return { uid, gid, name };
  }
  throw new Trouble(
    "PostgreSQL does not run as root and there is no user `postgres` or `nobody` here: run as an ordinary user, or set DATABASE_URL.",
  );
}

/** Whether the user may pass every directory above (and may enter) the path. Ours to ask only as root, about another user. */
export function mayEnter(identity: Identity | null, path: string): boolean {
  if (identity === null) return true;
  for (let at = resolve(path); ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const shift = stat.uid === identity.uid ? 6 : stat.gid === identity.gid ? 3 : 0;
      if ((stat.mode & (0o1 << shift)) === 0) return false;
    }
    if (at === dirname(at)) return true;
  }
}
