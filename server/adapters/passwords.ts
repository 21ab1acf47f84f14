import { hash, verify } from "@node-rs/argon2";

/** argon2id, the library's own default; 46 MiB and one pass are about 15 ms of a core. */
const COST = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

/** The password as it is stored: salted, with its parameters beside it. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether it is the password that was stored. Takes as long for a wrong one as for the right one. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, password);
}
