import {
  type Disruption,
  type DisruptionCause,
  type ServiceState,
  STATUS_DAYS,
  type StatusDay,
  type StatusHistory,
  type StatusIncident,
  type SurfaceId,
  shownDays,
  stateOf,
  surfacesOf,
  unknownMs,
} from "#domain/service-status.ts";

/** The public state of the service as JSON, as an Atom feed, and in the words that the page shares with them. */

/** What the status page is made of. `disruptions` null: the last measurement is too old. `historyAt`: when the past was last read. */
export type StatusReport = {
  now: Date;
  lookedAt: Date | null;
  disruptions: readonly Disruption[] | null;
  history: StatusHistory;
  historyAt: Date | null;
  chains: readonly { chain: string; name: string }[];
};

export type ShownState = ServiceState | "unknown";
export type ShownDay = Omit<StatusDay, "surface"> & { unknownMs: number };
export type ShownSurface = { id: SurfaceId; name: string; state: ShownState; days: readonly ShownDay[] };

const NAMES = {
  settlement_api: "Settlement API",
  partner_management: "Partner management",
  fiat: "Withdrawals and top-ups",
  callbacks: "Callbacks and events",
  console: "Console",
};

export function surfaceName(surface: SurfaceId, chains: StatusReport["chains"]): string {
  if (surface in NAMES) return NAMES[surface as keyof typeof NAMES];
  return `Payments on ${nameOf(surface.slice("payments:".length), chains)}`;
}

function nameOf(chain: string | null, chains: StatusReport["chains"]): string {
  return chains.find((each) => each.chain === chain)?.name ?? chain ?? "";
}

const SENTENCES: Record<DisruptionCause, (chain: string) => string> = {
  unavailable: () => "Requests cannot be answered. Payments, callbacks and events wait.",
  slow: () => "Answers take longer than usual.",
  processing: () => "Payments, withdrawals, top-ups, callbacks and events wait.",
  chain: (chain) => `Payments on ${chain} wait, because the chain cannot be reached.`,
  payments: (chain) => `Payments on ${chain} are late.`,
  paused: (chain) => `Payments on ${chain} are paused while we check them.`,
  checks: () => "Some payments wait, because their recipients cannot be checked.",
  fiat: () => "Withdrawals and top-ups are late.",
  callbacks: () => "Callbacks are late.",
  rates: () => "Some currency pairs cannot be quoted.",
};

/** What a disruption means for people outside. */
export function disruptionSentence({ cause, chain }: Pick<Disruption, "cause" | "chain">, chains: StatusReport["chains"]): string {
  return SENTENCES[cause](nameOf(chain, chains));
}

/** The worst state of all surfaces, and one line about it. */
export function currentState({ disruptions, chains }: StatusReport): { state: ShownState; sentence: string } {
  if (disruptions === null) return { state: "unknown", sentence: "The current state is unknown." };
  if (disruptions.length === 0) return { state: "operational", sentence: "All parts of the service work." };
  const states = surfacesOf(chains.map(({ chain }) => chain)).map((surface) => stateOf(surface, disruptions));
  const sentence = disruptions.map((disruption) => disruptionSentence(disruption, chains)).join(" ");
  return { state: states.includes("down") ? "down" : "degraded", sentence };
}

/** Every surface with its 90 days, oldest first. A day without a measurement is unknown. */
export function shownSurfaces({ now, disruptions, history, chains }: StatusReport): ShownSurface[] {
  const known = new Map(history.days.map((day) => [`${day.day} ${day.surface}`, day]));
  return surfacesOf(chains.map(({ chain }) => chain)).map((id) => ({
    id,
    name: surfaceName(id, chains),
    state: disruptions === null ? "unknown" : stateOf(id, disruptions),
    days: shownDays(now).map((day) => {
      const { operationalMs, degradedMs, downMs } = known.get(`${day} ${id}`) ?? { operationalMs: 0, degradedMs: 0, downMs: 0 };
      return { day, operationalMs, degradedMs, downMs, unknownMs: unknownMs({ day, operationalMs, degradedMs, downMs }, now) };
    }),
  }));
}

const seconds = (ms: number) => Math.round(ms / 1_000);

/** `GET /status/summary.json`. Fields are only added. */
export function renderStatus(report: StatusReport) {
  const { state, sentence } = currentState(report);
  return {
    state,
    summary: sentence,
    looked_at: report.lookedAt?.toISOString() ?? null,
    history_read_at: report.historyAt?.toISOString() ?? null,
    surfaces: shownSurfaces(report).map((surface) => ({
      id: surface.id,
      name: surface.name,
      state: surface.state,
      days: surface.days.map((day) => ({
        date: day.day,
        operational_seconds: seconds(day.operationalMs),
        degraded_seconds: seconds(day.degradedMs),
        down_seconds: seconds(day.downMs),
        unknown_seconds: seconds(day.unknownMs),
      })),
    })),
    incidents: report.history.incidents.map((incident) => ({
      id: incident.id,
      summary: disruptionSentence(incident, report.chains),
      surfaces: incident.impairs,
      began_at: incident.beganAt.toISOString(),
      ended_at: incident.endedAt?.toISOString() ?? null,
      notes: incident.notes.map(({ at, text }) => ({ at: at.toISOString(), text })),
    })),
  };
}

/** The incidents as an Atom feed (RFC 4287). An entry changes with its end and with each note. */
export function statusFeed({ history, chains, now }: StatusReport, baseUrl: string): string {
  const page = `${baseUrl}/status`;
  const updated = history.incidents.map(changedAt).toSorted((left, right) => right.getTime() - left.getTime())[0];
  const entries = history.incidents.map(
    (incident) => `  <entry>
    <id>${xml(`${page}#${incident.id}`)}</id>
    <title>${xml(disruptionSentence(incident, chains))}</title>
    <published>${incident.beganAt.toISOString()}</published>
    <updated>${changedAt(incident).toISOString()}</updated>
    <link href="${xml(`${page}#${incident.id}`)}"/>
    <content type="text">${xml(inWords(incident))}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${xml(page)}</id>
  <title>Settlement service: incidents</title>
  <updated>${(updated ?? new Date(now.getTime() - STATUS_DAYS * 86_400_000)).toISOString()}</updated>
  <author><name>Settlement service</name></author>
  <link rel="self" href="${xml(`${page}/feed.atom`)}"/>
  <link href="${xml(page)}"/>
${entries.join("\n")}
</feed>
`;
}

function changedAt({ beganAt, endedAt, notes }: StatusIncident): Date {
  return new Date(Math.max(beganAt.getTime(), endedAt?.getTime() ?? 0, ...notes.map(({ at }) => at.getTime())));
}

function inWords({ beganAt, endedAt, notes }: StatusIncident): string {
  const end = endedAt === null ? "It lasts." : `It ended at ${endedAt.toISOString()}.`;
  return [`It began at ${beganAt.toISOString()}. ${end}`, ...notes.map(({ at, text }) => `${at.toISOString()}: ${text}`)].join("\n");
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
