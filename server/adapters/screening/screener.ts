import {
  concludeScreening,
  type Destination,
  type IssuerQuestion,
  PAYEES,
  type ScreeningCover,
  SOURCE_WORDS,
  type Word,
} from "#domain/screening.ts";
import type { EvmDirectory, LapsingDirectory, Log, Screener } from "#server/ports.ts";
import { type ListTimings, listSource, namesSource } from "./list-file.ts";
import { issuerSource, type Keeping, oracleSource } from "./on-chain.ts";
import { type Source, silence } from "./source.ts";

/** How long a payment to be signed waits for an answer, for all sources together. */
const SIGN_MS = 5_000;

/** How often each source is asked without a payment, so that a wrong one is known before a payment waits for it. */
const LOOK_EVERY_MS = 60_000;
/** An address without an owner, and not a special case of contracts: tokens treat the zero address differently. */
const NO_RECIPIENT = "0x000000000000000000000000000000000000dEaD";
/** The sources whose trouble is logged. */
const reported = new WeakSet<Source>();

export type ScreenerSettings = {
  isOn: boolean;
  /** How long a confirmation waits for an answer. */
  confirmMs: number;
  /** A file, absolute; null: none. */
  list: string | null;
  /** A file of names, absolute, for payees; null: payees are not screened. */
  names?: string | null;
  /** By chain. */
  oracles: Readonly<Record<string, string>>;
  /** By chain and token: the function of its issuer's blocklist; `none`: it has none. Otherwise found by trying. */
  blocklists: readonly { chain: string; token: string; question: IssuerQuestion | "none" | null }[];
};

/** Opens all sources. @throws ListFault when the list's file is incomplete or damaged */
export function createScreener(
  settings: ScreenerSettings,
  powers: { evm: EvmDirectory; lapsing?: LapsingDirectory; log: Log },
  timings?: Partial<Keeping & ListTimings>,
): Screener {
  const sources = settings.isOn ? openSources(settings, powers, timings) : [];
  return {
    isOn: settings.isOn,
    screensPayees: settings.isOn && (settings.names ?? null) !== null,
    async screen(destinations, stage) {
      const withinMs = stage === "confirm" ? settings.confirmMs : SIGN_MS;
      const heard = await Promise.all(sources.map((source) => hear(powers.log, source, destinations, withinMs)));
      return destinations.map((destination, index) =>
        concludeScreening(
          destination,
          heard.flatMap((words) => words[index] ?? []),
        ),
      );
    },
    state: () => ({
      isOn: settings.isOn,
      covers: [
        ...[...powers.evm.list(), ...(powers.lapsing?.list() ?? [])].map(({ chain, tokens }) =>
          coverOf(
            chain,
            tokens.flatMap(({ address }) => sources.filter((source) => source.covers({ chain, tokenAddress: address, address: "" }))),
          ),
        ),
        ...(sources.some(({ kind }) => kind === "names")
          ? [
              coverOf(
                PAYEES,
                sources.filter(({ kind }) => kind === "names"),
              ),
            ]
          : []),
      ],
      troubles: sources.flatMap(({ kind, trouble }) => troubleOf(kind, trouble())),
    }),
    async watch() {
      const look = () => lookAt(sources, powers.log);
      if (sources.length === 0) return;
      setInterval(look, LOOK_EVERY_MS).unref();
      await look();
    },
  };
}

function coverOf(chain: string, asked: readonly Source[]): ScreeningCover {
  const unique = [...new Set(asked)];
  // An unreadable list continues with its last good edition.
  const silent = unique.filter(({ kind, trouble }) => kind !== "list" && kind !== "names" && trouble() !== null).map(nameOf);
  return { chain, covered: unique.some(({ kind }) => kind !== "issuer"), sources: unique.map(nameOf), silent };
}

const nameOf = ({ kind, name }: Source) => `${SOURCE_WORDS[kind]} ${name}`;
const troubleOf = (kind: Source["kind"], detail: string | null) => (detail === null ? [] : [{ kind, detail }]);

/** Asks each source about an address that no payment goes to, and logs whose answer fails, and who answers once more. */
async function lookAt(sources: readonly Source[], log: Log): Promise<void> {
  await Promise.all(
    sources.map(async (source) => {
      await inTime(
        source.ask([NO_RECIPIENT]).catch(() => []),
        SIGN_MS,
      );
      const detail = source.trouble();
      if (detail !== null && !reported.has(source)) log.error({ source: source.name, detail }, "a screening source does not answer");
      if (detail === null && reported.has(source)) log.info({ source: source.name }, "a screening source answers");
      if (detail === null) reported.delete(source);
      else reported.add(source);
    }),
  );
}

function openSources(
  { list, names = null, oracles, blocklists }: ScreenerSettings,
  { evm, log }: { evm: EvmDirectory; log: Log },
  timings?: Partial<Keeping & ListTimings>,
): Source[] {
  const onChains = evm.list().flatMap((chain) => {
    const oracle = oracles[chain.chain];
    const issuers = blocklists.flatMap(({ chain: name, token, question }) =>
      name === chain.chain && question !== "none" ? [issuerSource(chain, token, question, timings)] : [],
    );
    return [...(oracle === undefined ? [] : [oracleSource(chain, oracle, timings)]), ...issuers];
  });
  return [
    ...onChains,
    ...(list === null ? [] : [listSource(list, log, timings)]),
    ...(names === null ? [] : [namesSource(names, log, timings)]),
  ];
}

/** One source's answers in time, for the addresses that it covers. */
async function hear(log: Log, source: Source, destinations: readonly Destination[], withinMs: number): Promise<(Word | null)[]> {
  const places = destinations.flatMap((destination, place) => (source.covers(destination) ? [place] : []));
  if (places.length === 0) return [];
  const addresses = places.map((place) => destinations[place]?.address ?? "");
  const asking = source.ask(addresses).catch((error: unknown) => {
    log.error({ source: source.name, err: error }, "a screening source failed");
    return null;
  });
  const words = await inTime(asking, withinMs);
  const heard: (Word | null)[] = destinations.map(() => null);
  for (const [index, place] of places.entries())
    heard[place] = words === null ? silence(source, `not within ${withinMs} ms`) : (words[index] ?? null);
  return heard;
}

/** null: not in time. */
async function inTime<Value>(asking: Promise<Value>, withinMs: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, withinMs, null);
  });
  return await Promise.race([asking, patience]).finally(() => clearTimeout(timer));
}
