import type { Destination, ScreeningSource, Word } from "#domain/screening.ts";

/** One that is asked. It never throws: what does not answer is silent. */
export type Source = {
  kind: ScreeningSource;
  /** Its contract, or its file. */
  name: string;
  covers(destination: Destination): boolean;
  /** A word for each address, in their order; null: it is none of its kind after all (a token without a blocklist). */
  ask(addresses: readonly string[]): Promise<(Word | null)[]>;
  /** What is amiss with it, for operators; null: nothing. */
  trouble(): string | null;
};

export function silence({ kind, name }: Pick<Source, "kind" | "name">, detail: string | null): Word {
  return { kind, source: name, answer: "silent", block: null, version: null, detail, askedAt: new Date() };
}
