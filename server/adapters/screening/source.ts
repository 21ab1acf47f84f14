import type { Destination, ScreeningSource, Word } from "#domain/screening.ts";

/** A screening source. It never throws: a missing answer is `silent`. */
export type Source = {
  kind: ScreeningSource;
  /** Its contract, or its file. */
  name: string;
  covers(destination: Destination): boolean;
  /** An answer for each address, in order; null: it is not a source after all (a token without a blocklist). */
  ask(addresses: readonly string[]): Promise<(Word | null)[]>;
  /** Its trouble, for operators; null: none. */
  trouble(): string | null;
};

export function silence({ kind, name }: Pick<Source, "kind" | "name">, detail: string | null): Word {
  return { kind, source: name, answer: "silent", block: null, version: null, detail, askedAt: new Date() };
}
