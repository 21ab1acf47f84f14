import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { type Passwords, Unreachable } from "#server/ports.ts";

/** argon2id, the library's own default; 46 MiB and one pass are about 15 ms of a core. */
const COST = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
/** As many hashes at once; more would only fill the memory. */
const MAX_AT_ONCE = 4;
/** How many may wait: one second's worth. A request beyond that is answered with 503. */
const MAX_WAITING = 64;
/** Guesses, as a power of ten, that a new password must withstand. */
const MIN_GUESSES_LOG10 = 8;

/** The stored form of the password: salted, together with its parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether it is the password that was stored. Takes as long for a wrong one as for the right one. */
export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, password);
}

/** As the functions above, a few at a time in the whole process. @throws Unreachable when too many wait already. */
export function createPasswords(): Passwords {
  const inTurn = createTurnstile();
  let nobodys: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: async (stored, password) => {
      nobodys ??= hashPassword(randomBytes(32).toString("base64"));
      const decoy = await nobodys;
      const isRight = await inTurn(() => verifyPassword(stored ?? decoy, password));
      return isRight && stored !== null;
    },
    weakness,
  };
}

/** The dictionaries are big and seldom needed: they are loaded with the first password that is judged. */
let estimator: ReturnType<typeof loadEstimator> | undefined;

async function weakness(password: string, about: readonly string[]): Promise<string | null> {
  estimator ??= loadEstimator();
  const { guessesLog10 } = (await estimator).check(password, about.flatMap(translationsOf));
  return guessesLog10 < MIN_GUESSES_LOG10 ? "must not be a common or easily guessed password" : null;
}

async function loadEstimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

function translationsOf(text: string): string[] {
  return [text, ...text.split("@"), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

function createTurnstile() {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= MAX_AT_ONCE) {
      if (waiting.length >= MAX_WAITING) throw new Unreachable("too many passwords are being checked");
      // Anyone who leaves hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
