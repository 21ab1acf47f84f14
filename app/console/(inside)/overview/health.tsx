import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { Link } from "../../_components/controls/link.tsx";
import { shortened } from "../../_components/controls/values.tsx";
import { type TroubleShown, useTroubles } from "../../_components/frame/use-troubles.ts";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { Now } from "./use-overview.ts";
import { HEALTH } from "./words.ts";

/** `tone`: overrides the usual tone of a failure. `unknown`: the source of this status cannot be reached right now. */
export type Part = {
  name: string;
  href: string;
  trouble: string | null;
  well: string;
  tone?: string;
  unknown?: boolean;
  /** Its trouble is a row of its own at the top of the page, with a verb; without a key it is said here. */
  key?: "callbacks" | "rates" | "treasury";
  /** Without it no payment goes out; `unseen`: but its trouble does not say whether some do. */
  carries?: "seen" | "unseen";
};
type Translations = WithShared<typeof HEALTH>;

/** Whether a part has a row of its own above, and is not repeated below. */
export function isTodo({ key, trouble, unknown = false }: Part): boolean {
  return key !== undefined && trouble !== null && !unknown;
}

/** The parts of the service and how each is, as the user's side sees them. */
export function useHealth(now: Now | undefined, isOperator: boolean): Part[] {
  const t = useTranslations(HEALTH);
  const troubles = useTroubles();
  if (now === undefined) return [];
  return isOperator ? operatorParts(now, troubles, t) : partnerParts(now, troubles, t);
}

/** The parts of the service in one line, those that have no row above: healthy parts are grey, failing ones have a colour. */
export function Health({ parts }: { parts: readonly Part[] }) {
  const t = useTranslations(HEALTH);
  return (
    <ul className="health-parts" aria-label={t.label}>
      {parts
        .filter((part) => !isTodo(part))
        .map(({ name, href, trouble, well, tone = "failed", unknown = false }) => {
          const Icon = unknown ? CircleHelp : trouble === null ? CircleCheck : TriangleAlert;
          return (
            <li key={name}>
              <Link href={href} className="health-part" data-tone={unknown || trouble === null ? "plain" : tone}>
                <Icon aria-hidden size={16} />
                <span className="health-name">{name}</span> <span className="health-word">{unknown ? t.unknown : (trouble ?? well)}</span>
              </Link>
            </li>
          );
        })}
    </ul>
  );
}

function operatorParts(now: Now, troubles: readonly TroubleShown[], t: Translations): Part[] {
  const { worker, chain, rates, treasury } = t;
  const found = among(troubles);
  const unknown = isUnread(troubles);
  return [
    {
      name: worker.name,
      href: "/console/treasury",
      carries: "seen",
      well: worker.well,
      // It may go on without a database that this process reaches, or without the web process that would say so.
      unknown,
      trouble: found({ worker: worker.gone, work: worker.behind, payments: worker.payments }),
    },
    {
      name: chain.name,
      href: "/console/treasury",
      carries: "seen",
      well: chain.well,
      trouble:
        now.attention.halted_lanes > 0 ? chain.halted(now.attention.halted_lanes) : found({ chain: chain.still, halt: chain.halted(1) }),
      // Only the worker asks a chain's nodes.
      unknown: unknown || troubles.some(({ part }) => part === "worker"),
    },
    { ...callbacksPart(now, t), unknown },
    {
      name: rates.name,
      key: "rates",
      href: "/console/rates",
      well: rates.well(now.inside?.rates.length ?? 0),
      unknown,
      trouble: now.halted.length > 0 ? rates.halted(now.halted) : null,
    },
    { name: treasury.name, key: "treasury", href: "/console/treasury", ...treasuryWords(now, t), unknown },
    { name: t.openQuotes.name, href: "/console/rates", well: openWords(now, t), trouble: null, unknown },
    { name: t.attestation.name, href: "/console/treasury", ...attestationWords(now, t), unknown },
  ];
}

function partnerParts(now: Now, troubles: readonly TroubleShown[], t: Translations): Part[] {
  const { service, rates } = t;
  const unknown = isUnread(troubles);
  return [
    {
      name: service.name,
      carries: isSilent(troubles) ? "unseen" : "seen",
      href: "/console/settlements",
      well: service.well,
      trouble: among(troubles)({ offline: service.away, service: service.away, database: service.slow, payments: service.delayed }),
    },
    { ...callbacksPart(now, t), unknown },
    {
      name: rates.name,
      key: "rates",
      href: "/console/rates",
      well: rates.partner,
      unknown,
      trouble: now.halted.length > 0 ? rates.halted(now.halted) : null,
    },
  ];
}

function callbacksPart({ attention }: Now, { callbacks }: Translations): Part {
  const { undelivered_callbacks: given, retrying_callbacks: retrying, any_callback: any } = attention;
  const href = given === 0 && retrying > 0 ? "/console/callbacks?tab=retrying" : "/console/callbacks";
  return {
    name: callbacks.name,
    key: "callbacks",
    href,
    well: any ? callbacks.well : callbacks.none,
    trouble: given + retrying > 0 ? callbacks.failing(given, retrying) : null,
    tone: "undelivered",
  };
}

/** The coin that runs out first determines the state. */
function treasuryWords({ inside }: Now, { treasury: t, format }: Translations): Pick<Part, "trouble" | "well" | "tone"> {
  const runway = inside?.runway ?? [];
  const low = runway.flatMap(({ currency, low_addresses: low, wallets }) =>
    low.length > 0
      ? t.low(
          currency,
          low.map((each) => shortened(each)),
          wallets,
        )
      : [],
  );
  const hours = Math.min(...runway.flatMap((coin) => coin.hours ?? []));
  const lasts = hours > WHOLE_HOURS ? `> ${format.duration(WHOLE_HOURS * 3_600)}` : format.duration(Math.round(hours) * 3_600);
  return {
    trouble: low.length > 0 ? [...new Set(low)].join(", ") : null,
    tone: "undelivered",
    well: runway.length === 0 ? t.unread : Number.isFinite(hours) ? t.lasts(lasts) : t.well,
  };
}
const WHOLE_HOURS = 72;

/** Of each pair what is promised at a rate, and what the rate has done to it since; of several only how many: the rates' page has them. */
function openWords({ inside }: Now, { openQuotes: t, format }: Translations): string {
  const [only, ...others] = inside?.exposures ?? [];
  if (only === undefined) return t.none;
  if (others.length > 0) return t.pairs(others.length + 1);
  const { pair, open, loss, currency } = only;
  const change = loss.startsWith("-") ? `+${loss.slice(1)}` : `−${loss}`;
  return t.open(pair, format.written(open, currency), /[1-9]/.test(loss) ? format.written(change, currency) : null);
}

/** One is made a day; the alert comes after the same time. */
const OLD_ATTESTATION_HOURS = 36;

function attestationWords({ inside, now }: Now, { attestation: t, format }: Translations): Pick<Part, "trouble" | "well"> {
  if (!inside?.attested_at) return { trouble: null, well: t.none };
  const hours = (Date.parse(now) - Date.parse(inside.attested_at)) / 3_600_000;
  const ago = format.duration(Math.max(0, Math.round(hours)) * 3_600);
  return { trouble: hours > OLD_ATTESTATION_HOURS ? t.old(ago) : null, well: t.made(Math.round(hours), ago) };
}

/** Whether the status cannot be read right now. Earlier values do not count. */
function isUnread(troubles: readonly TroubleShown[]): boolean {
  return isSilent(troubles) || troubles.some(({ part }) => part === "database");
}

/** Whether no web process can be asked. */
function isSilent(troubles: readonly TroubleShown[]): boolean {
  return troubles.some(({ part }) => part === "offline" || part === "service");
}

/** The first failing one, as text. */
function among(troubles: readonly TroubleShown[]) {
  return (words: Partial<Record<TroubleShown["part"], string>>) => troubles.flatMap(({ part }) => words[part] ?? [])[0] ?? null;
}
