import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { Link } from "../../_components/controls/link.tsx";
import { type TroubleShown, useTroubles } from "../../_components/frame/use-troubles.ts";
import { useTranslations } from "../../_words/words.ts";
import { duration } from "./figures.ts";
import type { Now } from "./use-overview.ts";
import { HEALTH } from "./words.ts";

/** `tone`: overrides the usual tone of a failure. `unknown`: the source of this status cannot be reached right now. */
export type Part = { name: string; href: string; trouble: string | null; well: string; tone?: string; unknown?: boolean };
type Translations = typeof HEALTH;

/** The parts of the service and how each is, as the user's side sees them. */
export function useHealth(now: Now | undefined, isOperator: boolean): Part[] {
  const t = useTranslations(HEALTH);
  const troubles = useTroubles();
  if (now === undefined) return [];
  return isOperator ? operatorParts(now, troubles, t) : partnerParts(now, troubles, t);
}

/**
 * The health of the service, above everything else: healthy parts are grey, failing ones have a colour and a link to the page that handles
 * them.
 */
export function Health({ parts }: { parts: readonly Part[] }) {
  const t = useTranslations(HEALTH);
  return (
    <ul className="health-parts" aria-label={t.label}>
      {parts.map(({ name, href, trouble, well, tone = "failed", unknown = false }) => {
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
  const { worker, database, chain, rates, treasury } = t;
  const found = among(troubles);
  const unknown = isUnread(troubles);
  return [
    {
      name: worker.name,
      href: "/console/treasury",
      well: worker.well,
      trouble: found({
        offline: t.service.away,
        service: t.service.away,
        database: database.away,
        database_slow: database.slow,
        worker: worker.gone,
        work: worker.behind,
        payments: worker.payments,
      }),
    },
    {
      name: chain.name,
      href: "/console/treasury",
      well: chain.well,
      trouble:
        now.attention.halted_lanes > 0 ? chain.halted(now.attention.halted_lanes) : found({ chain: chain.still, halt: chain.halted(1) }),
      // Only the worker asks a chain's nodes.
      unknown: unknown || troubles.some(({ part }) => part === "worker"),
    },
    { ...callbacksPart(now, t), unknown },
    {
      name: rates.name,
      href: "/console/rates",
      well: rates.well(now.inside?.rates.length ?? 0),
      unknown,
      trouble: now.halted.length > 0 ? rates.halted(now.halted) : null,
    },
    { name: treasury.name, href: "/console/treasury", ...treasuryWords(now, treasury), unknown },
    { name: t.openQuotes.name, href: "/console/rates", well: openWords(now, t.openQuotes), trouble: null, unknown },
    { name: t.attestation.name, href: "/console/treasury", ...attestationWords(now, t.attestation), unknown },
  ];
}

function partnerParts(now: Now, troubles: readonly TroubleShown[], t: Translations): Part[] {
  const { service, rates } = t;
  const unknown = isUnread(troubles);
  return [
    {
      name: service.name,
      href: "/console/settlements",
      well: service.well,
      trouble: among(troubles)({ offline: service.away, service: service.away, database: service.slow, payments: service.delayed }),
    },
    { ...callbacksPart(now, t), unknown },
    {
      name: rates.name,
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
    href,
    well: any ? callbacks.well : callbacks.none,
    trouble: given + retrying > 0 ? callbacks.failing(given, retrying) : null,
    tone: "undelivered",
  };
}

/** The coin that runs out first determines the state. */
function treasuryWords({ inside }: Now, t: Translations["treasury"]): Pick<Part, "trouble" | "well" | "tone"> {
  const runway = inside?.runway ?? [];
  const low = runway.flatMap(({ currency, low_wallets: count, wallets }) => (count > 0 ? t.low(currency, count, wallets) : []));
  const hours = Math.min(...runway.flatMap((coin) => coin.hours ?? []));
  const lasts = hours > WHOLE_HOURS ? `> ${WHOLE_HOURS / 24} d` : duration(Math.round(hours) * 3_600);
  return {
    trouble: low.length > 0 ? [...new Set(low)].join(", ") : null,
    tone: "undelivered",
    well: runway.length === 0 ? t.unread : Number.isFinite(hours) ? t.lasts(lasts) : t.well,
  };
}
const WHOLE_HOURS = 72;

/** Of each currency what is promised at a rate, and what the rate has done to it since. */
function openWords({ inside }: Now, t: Translations["openQuotes"]): string {
  const exposures = inside?.exposures ?? [];
  return exposures.length === 0 ? t.none : exposures.map(({ pair, open, loss }) => t.open(pair, open, loss)).join("; ");
}

/** One is made a day; the alert comes after the same time. */
const OLD_ATTESTATION_HOURS = 36;

function attestationWords({ inside, now }: Now, t: Translations["attestation"]): Pick<Part, "trouble" | "well"> {
  if (!inside?.attested_at) return { trouble: null, well: t.none };
  const hours = (Date.parse(now) - Date.parse(inside.attested_at)) / 3_600_000;
  const ago = duration(Math.max(0, Math.round(hours)) * 3_600);
  return { trouble: hours > OLD_ATTESTATION_HOURS ? t.old(ago) : null, well: t.made(ago) };
}

/** Whether the status cannot be read right now. Earlier values do not count. */
function isUnread(troubles: readonly TroubleShown[]): boolean {
  return troubles.some(({ part }) => part === "offline" || part === "service" || part === "database");
}

/** The first failing one, as text. */
function among(troubles: readonly TroubleShown[]) {
  return (words: Partial<Record<TroubleShown["part"], string>>) => troubles.flatMap(({ part }) => words[part] ?? [])[0] ?? null;
}
