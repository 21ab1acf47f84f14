import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ListFault, readAddressList } from "#domain/address-list.ts";
import { readNameList } from "#domain/name-list.ts";
import type { IssuerQuestion } from "#domain/screening.ts";
import type { ChainConfig } from "./chains.ts";
import type { Variables } from "./variables.ts";

/** The sources that screen recipients before they are paid. */
export type ScreeningConfig = {
  isOn: boolean;
  /** A file of addresses, absolute; null: none. */
  list: string | null;
  /** A file of names, absolute, for payees; null: none. */
  names: string | null;
  /** By chain. */
  oracles: Readonly<Record<string, string>>;
  /** `question` null: found out by asking. */
  blocklists: readonly { chain: string; token: string; question: IssuerQuestion | "none" | null }[];
  /** How long a confirmation waits for an answer. */
  confirmMs: number;
};

type Screened = Pick<Variables, "MODE" | "SCREENING" | "SCREENING_LIST" | "SCREENING_NAMES" | "SCREENING_CONFIRM_MS">;

/**
 * Live mode screens unless it is switched off, and does not start without a source that could answer: every payment would wait for an
 * admin. The sandbox screens if it has a source.
 */
export function readScreening(variables: Screened, chains: readonly ChainConfig[], report: (problem: string) => void): ScreeningConfig {
  const { MODE, SCREENING, SCREENING_LIST: file, SCREENING_NAMES: names } = variables;
  const evm = chains.filter((chain) => chain.family === "evm");
  const oracles = Object.fromEntries(
    evm.flatMap(({ chain, sanctionsOracle }) => (sanctionsOracle === null ? [] : [[chain, sanctionsOracle]])),
  );
  const isAsked = file !== undefined || Object.keys(oracles).length > 0;
  const isOn = SCREENING === undefined ? MODE === "live" || isAsked : SCREENING === "required";
  if (isOn && !isAsked && chains.length > 0)
    report(
      "SCREENING is required, and there is nobody to ask: give a chain in CHAINS its sanctions_oracle, name a file in SCREENING_LIST, or set SCREENING to off.",
    );
  if (file !== undefined) reportList("SCREENING_LIST", file, readAddressList, report);
  if (names !== undefined) reportList("SCREENING_NAMES", names, readNameList, report);
  const blocklists = evm.flatMap(({ chain, tokens }) =>
    tokens.map(({ address: token, blocklist }) => ({ chain, token, question: blocklist ?? null })),
  );
  const confirmMs = variables.SCREENING_CONFIRM_MS;
  return { isOn, list: resolved(file), names: resolved(names), oracles, blocklists, confirmMs };
}

function resolved(file: string | undefined): string | null {
  return file === undefined ? null : resolve(file);
}

function reportList(variable: string, file: string, read: (text: string) => unknown, report: (problem: string) => void): void {
  try {
    read(readFileSync(file, "utf8"));
  } catch (error) {
    const why =
      error instanceof ListFault ? error.message : `cannot be read (${error instanceof Error && "code" in error ? error.code : "unknown"})`;
    report(`${variable}: ${file} ${why}.`);
  }
}
