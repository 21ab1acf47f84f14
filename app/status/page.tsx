import type { Metadata } from "next";
import {
  currentState,
  disruptionSentence,
  type ShownSurface,
  type StatusReport,
  shownSurfaces,
  surfaceName,
} from "#contract/service-status.ts";
import { disruptionKey, type StatusIncident, type SurfaceId, shareOperational, surfacesOf } from "#domain/service-status.ts";
import { webStatus, webWiring } from "#server/wiring.ts";
import { Strip } from "./_parts/strip.tsx";
import { dayName, lengthOf, STATES, timeName } from "./_parts/words.ts";
import "./status.css";

export const metadata: Metadata = { title: "Service status", description: "Whether each part of the service works, and the last 90 days." };

/** Anybody may read it, and it is there while the database is away: it shows what the process has seen, and the past that it read last. */
export default async function StatusPage() {
  const report = await webStatus().report();
  const { mode } = webWiring().config;
  const { state, sentence } = currentState(report);
  const { chains, history, historyAt, lookedAt, now } = report;
  const isOld = historyAt === null || now.getTime() - historyAt.getTime() > OLD_AFTER_MS;
  return (
    <main id="main" tabIndex={-1} className="status-page">
      <link rel="alternate" type="application/atom+xml" title="Incidents" href="/status/feed.atom" />
      <header className="status-bar">
        <a href="/docs">Settlement service</a>
        {mode === "sandbox" ? <span className="status-sandbox">Sandbox</span> : null}
      </header>
      <h1>Service status</h1>
      <p className="status-now" data-state={state} role="status">
        <strong>{STATES[state]}.</strong> {sentence}
      </p>
      <p className="status-looked">
        {lookedAt === null ? (
          "No measurement yet."
        ) : (
          <>
            Measured <Instant at={lookedAt} />.
          </>
        )}
        {isOld ? <OldHistory at={historyAt} /> : null}
      </p>
      <section aria-labelledby="surfaces">
        <h2 id="surfaces">The last 90 days</h2>
        <ul className="status-surfaces">
          {shownSurfaces(report).map((surface) => (
            <Surface key={surface.id} surface={surface} />
          ))}
        </ul>
        <Legend />
      </section>
      <section aria-labelledby="incidents">
        <h2 id="incidents">Incidents</h2>
        {history.incidents.length === 0 ? <p>No incident is known in these 90 days.</p> : null}
        <ol className="status-incidents">
          {history.incidents.map((incident) => (
            <li key={incident.id} id={incident.id}>
              <h3>{disruptionSentence(incident, chains)}</h3>
              <p className="status-when">
                <When incident={incident} now={now} isSeen={isSeen(incident, report.disruptions)} />
                {" · "}
                {affectedBy(incident, chains)}
              </p>
              {incident.notes.map(({ at, text }) => (
                <p key={at.toISOString()}>
                  <Instant at={at} />: {text}
                </p>
              ))}
            </li>
          ))}
        </ol>
      </section>
      <footer className="status-foot">
        <a href="/status/feed.atom">Incidents as a feed</a>
        <a href="/status/summary.json">This page as JSON</a>
        <a href="/docs/retries#status">How to use both</a>
      </footer>
    </main>
  );
}

/** Well after the time at which it is read again. */
const OLD_AFTER_MS = 60_000;

/** `Console (down), Settlement API (degraded)`, in the order of the page. */
function affectedBy({ impairs }: StatusIncident, chains: StatusReport["chains"]): string {
  const known: string[] = surfacesOf(chains.map(({ chain }) => chain));
  const ids = Object.keys(impairs).toSorted((left, right) => known.indexOf(left) - known.indexOf(right)) as SurfaceId[];
  return ids.map((id) => `${surfaceName(id, chains)} (${STATES[impairs[id] ?? "down"].toLowerCase()})`).join(", ");
}

function OldHistory({ at }: { at: Date | null }) {
  if (at === null) return " The history could not be read just now.";
  return (
    <>
      {" "}
      The history could not be read just now. What you see is from <Instant at={at} />.
    </>
  );
}

function Instant({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{timeName(at)}</time>;
}

type WhenProps = { incident: StatusIncident; now: Date; isSeen: boolean };

function When({ incident: { beganAt, endedAt }, now, isSeen }: WhenProps) {
  const lasted = lengthOf((endedAt ?? now).getTime() - beganAt.getTime());
  const still = isSeen ? `, still there after ${lasted}` : ", not seen any more, and watched for a minute";
  return (
    <>
      <Instant at={beganAt} />
      {endedAt === null ? still : `, for ${lasted}`}
    </>
  );
}

/** Whether the last look has found it. */
function isSeen(incident: StatusIncident, disruptions: StatusReport["disruptions"]): boolean {
  return disruptions === null || disruptions.some((each) => disruptionKey(each) === disruptionKey(incident));
}

function Surface({ surface: { name, state, days } }: { surface: ShownSurface }) {
  const share = shareOperational(days);
  const troubled = days.filter(({ degradedMs, downMs }) => degradedMs + downMs > 0).toReversed();
  return (
    <li>
      <div className="status-head">
        <h3>{name}</h3>
        <span className="status-mark" data-state={state}>
          {STATES[state]}
        </span>
      </div>
      <Strip days={days} label={`${name}, day by day`} />
      <p className="status-share">
        <span>90 days ago</span>
        <span>{share === null ? "Nothing is known yet" : `Operational in ${percent(share)} of the measured time`}</span>
        <span>Today</span>
      </p>
      {troubled.length > 0 ? (
        <details className="status-troubled">
          <summary>{troubled.length === 1 ? "1 day with a disruption" : `${troubled.length} days with disruptions`}</summary>
          <ul>
            {troubled.map(({ day, degradedMs, downMs }) => (
              <li key={day}>
                {dayName(day)}:{" "}
                {[downMs > 0 ? `down for ${lengthOf(downMs)}` : "", degradedMs > 0 ? `degraded for ${lengthOf(degradedMs)}` : ""]
                  .filter((text) => text !== "")
                  .join(", ")}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}

/** Rounded down: 100 % is only what has no disruption at all. */
function percent(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}

function Legend() {
  return (
    <ul className="status-legend" aria-label="Colours of a day">
      <li data-day="operational">No disruption</li>
      <li data-day="degraded">Degraded</li>
      <li data-day="down">Down</li>
      <li data-day="unknown">No data</li>
    </ul>
  );
}
