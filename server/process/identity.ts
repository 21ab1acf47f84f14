import { readFileSync } from "node:fs";
import { Trouble } from "./trouble.ts";

/** Whom a process runs as. */
export type Identity = { uid: number; gid: number };

/** The user of that name; null without a name. @throws Trouble if there is none, or if this process may not switch to it. */
export function identityOf(setting: string, name: string | null, ourUid: number | undefined = process.getuid?.()): Identity | null {
  if (name === null) return null;
  if (ourUid !== 0) throw new Trouble(`${setting} is set, but only root starts processes as another user: remove it, or start as root.`);
  const fields = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${name}:`))
    ?.split(":");
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  if (fields === undefined || !Number.isInteger(uid) || !Number.isInteger(gid))
    throw new Trouble(`${setting}: there is no user ${name} here.`);
  return { uid, gid };
}
