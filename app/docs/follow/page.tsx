import type { Metadata } from "next";
import { EVENT_TYPE_NAMES, EVENT_TYPES, EVENTS_KEPT_DAYS } from "#domain/event.ts";
import { MOST_DESTINATIONS } from "#domain/event-destination.ts";
import { FOLLOW, READING } from "../_content/follow.ts";
import { ALL_CLIENTS } from "../_content/in-languages.ts";
import { Code, Codes, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Keys, Step as ProgramStep, RunIt } from "../_parts/program.tsx";
import { Shell } from "../_parts/shell.tsx";
import { readSite, type Site } from "../_parts/site.ts";
import { Tabs } from "../_parts/tabs.tsx";

const page = pageAt("/docs/follow");
export const metadata: Metadata = { title: page.title, description: page.summary };

const BROKERS = [
  ["webhook", "https://events.example.com/settlement", "A POST for each event. Any 2xx acknowledges it."],
  [
    "amqp",
    "amqps://user:password@mq.example.com/vhost?exchange=settlement",
    "A persistent message to the exchange. The routing key is the type. A message that reaches no queue has failed.",
  ],
  ["nats", "tls://user:password@nats.example.com?subject=settlement", "A message of a JetStream stream, on settlement.settlement.created."],
];

export default function Follow() {
  const site = readSite();
  return (
    <Shell current={page.path} title={page.title} lead="Every change is an event. Read events from a cursor, or have them sent to you.">
      <Section id="read-or-receive" title="Read or receive">
        <p>
          An event says what changed (<code>type</code>), of which object (<code>object_id</code>), and how the object looks since then (
          <code>data</code>: what its <code>GET</code> answers). The <code>version</code> of an object rises by one with each event.
        </p>
        <ul>
          <li>
            <a href="#reading">Read them</a> with <code>GET /api/v1/events</code>. You need no server. After a crash of yours, the events of
            one page may come again, under the same ids.
          </li>
          <li>
            <a href="#step-1">Receive them</a> at an event destination: your URL, RabbitMQ or NATS JetStream. Each event arrives at least
            once, in order for each object.
          </li>
          <li>
            <a href="/docs/callbacks">Callbacks</a> report only the end of an order, to the URL of that order.
          </li>
        </ul>
      </Section>
      <Section id="kept" title="How long we keep events">
        <p>
          We keep events for {EVENTS_KEPT_DAYS} days. A cursor from before that gets{" "}
          <a href="/docs/errors/cursor_expired">410 cursor_expired</a>, with the oldest cursor that you can go on from.
        </p>
      </Section>
      <Section id="keys" title="Your keys">
        <Keys site={site} />
        <p>
          This program creates a destination, tests it, and verifies an event. Download and run it in an empty folder. Its key needs the
          scopes <code>partner:write</code>, <code>settlements:write</code> and <code>settlements:read</code>.
        </p>
        <RunIt program={FOLLOW} label="the program" />
      </Section>
      <Step number={1} site={site} title="Say where events go">
        <p>
          You can have {MOST_DESTINATIONS} destinations. Each one has its own secret, which only this answer shows.{" "}
          {site.sandbox ? "A sandbox calls http://127.0.0.1 too." : "The URL must be https, amqps or tls."}
        </p>
      </Step>
      <Step number={2} site={site} title="Test it">
        <p>
          A test event takes the same way as every other event. The ids in it have ten zeros, and its <code>data</code> is empty.{" "}
          <code>last_test</code> says how it ended.
        </p>
      </Step>
      <Step number={3} site={site} title="Change something">
        <p>Every change has an event. It does not matter who makes it: your program, your people in the console, or us.</p>
      </Step>
      <Step number={4} site={site} title="Verify its event">
        <p>
          The signature is that of callbacks, under the destination’s secret. Act once for each <code>id</code>. After a crash an older{" "}
          <code>version</code> can come again: ignore it. An answer other than 2xx, or none within 30 seconds, is a failure, and the event
          comes again.
        </p>
      </Step>
      <Step number={5} site={site} title="Read it again">
        <p>
          You can read an event by its id, and send events again from a moment on:{" "}
          <code>POST …/event-destinations/&#123;id&#125;/replay</code>.
        </p>
      </Step>
      <Section id="reading" title="Read without a server">
        <p>
          Send the <code>next_cursor</code> of each answer as the <code>cursor</code> of the next request. With <code>wait=20</code> the
          request waits up to 20 seconds for the next event. Store the cursor after you have handled its page. A cursor that is older than
          the kept events gets <Codes codes={["cursor_expired"]} /> with the <code>oldest_cursor</code>. At a terminal,{" "}
          <code>settle events</code> does the same.
        </p>
        <p>
          Without a cursor you begin at the oldest event that is kept. The API has no request that begins at the present. To follow from
          now, read pages with <code>limit=100</code> and ignore their events, until <code>data</code> is empty: that{" "}
          <code>next_cursor</code> is the present. An event destination begins at the present by itself.
        </p>
        <Tabs label="Programming language of: reading events" names={ALL_CLIENTS.map(({ name }) => name)}>
          {ALL_CLIENTS.map(({ name, language }, place) => (
            <Code key={name} label={`Read every event, in ${name}`} language={language} text={READING[place] ?? ""} />
          ))}
        </Tabs>
      </Section>
      <Section id="brokers" title="RabbitMQ and NATS">
        <Table caption="The types of destinations" columns={["Type", "URL", "What arrives"]} rows={BROKERS} />
        <p>
          A message carries the event’s id as <code>message_id</code> or <code>Nats-Msg-Id</code>, and the headers <code>webhook-id</code>,{" "}
          <code>webhook-timestamp</code> and <code>webhook-signature</code>. We store the credentials of a URL sealed, and never show them
          again. The <a href="/asyncapi/events.json">AsyncAPI document</a> (<a href="/asyncapi/events.yaml">YAML</a>) describes each
          message.
        </p>
      </Section>
      <Section id="failures" title="When your side fails">
        <p>
          We try an event again after 1, 5 and 30 minutes, 2 hours, then every 12 hours. We try a broker again after seconds, then every 5
          minutes. Nothing is sent behind a failed event, so nothing is missed. After 24 hours the destination is paused: you get a
          notification and the event <code>destination.paused</code>. Make it <code>active</code> again, and it catches up.
        </p>
      </Section>
      <Section id="types" title="All types">
        <p>
          Name types one by one, or all of an object with <code>settlement.*</code>. There may be new types: ignore those that you do not
          know.
        </p>
        <Table
          caption="All types of events"
          columns={["Type", "When"]}
          rows={EVENT_TYPE_NAMES.map((type) => [<code key={type}>{type}</code>, `${EVENT_TYPES[type]}.`])}
        />
      </Section>
    </Shell>
  );
}

type StepProps = { number: 1 | 2 | 3 | 4 | 5; site: Site; title: string; children: React.ReactNode };

function Step({ number, site, title, children }: StepProps) {
  return (
    <Section id={`step-${number}`} title={`${number}. ${title}`}>
      {children}
      <ProgramStep program={FOLLOW} number={number} site={site} title={title} />
    </Section>
  );
}
