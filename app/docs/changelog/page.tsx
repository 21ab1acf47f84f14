import type { Metadata } from "next";
import { DEPRECATED_FOR_DAYS } from "#contract/deprecation.ts";
import { kindOf, NUMBERED_CHANGES } from "../_content/changelog.ts";
import { Code, Section, Table } from "../_parts/blocks.tsx";
import { pageAt } from "../_parts/pages.ts";
import { Shell } from "../_parts/shell.tsx";
import { readSite } from "../_parts/site.ts";

const page = pageAt("/docs/changelog");
export const metadata: Metadata = { title: page.title, description: page.summary };

const DEPRECATED = (baseUrl: string) => `Deprecation: @1796083200
Sunset: Mon, 31 Jan 2028 12:00:00 GMT
Link: <${baseUrl}/docs/changelog>; rel="deprecation"; type="text/html"`;

export default function Changelog() {
  const { baseUrl } = readSite();
  const days = [...new Set(NUMBERED_CHANGES.map(({ on }) => on))];
  return (
    <Shell current={page.path} title={page.title} lead="What may change, what never does, and what has changed.">
      <link rel="alternate" type="application/atom+xml" title="Changes" href="/docs/changelog/feed.atom" />
      <Section id="versions" title="Versions">
        <p>
          The version is in the path: <code>/api/v1</code>. A change that would break a client gets a new version next to it. The
          partner-management surface has no version in its paths, and keeps the same promises.
        </p>
        <Table
          caption="What may change within a version"
          columns={["May happen at any time", "Does not happen"]}
          rows={[
            ["An answer or a callback gets a new field.", "A field goes away, or changes its type or meaning."],
            ["A request may carry a new optional field.", "A request needs a field that it did not need."],
            ["There is a new operation, event, error code or fault code.", "The values of status change, or those of approval_state."],
            ["The wording of detail, title and message changes.", "A code gets another meaning."],
            ["There are new pages, headers and optional query parameters.", "An amount is rounded in another way."],
          ]}
        />
        <p>
          So ignore fields and events that you do not know, treat an unknown code by its HTTP status, and never decide by wording. An
          automatic check enforces this: it compares each build with the API documents of the last release.
        </p>
      </Section>
      <Section id="deprecation" title="Deprecation">
        <p>
          We announce a deprecation here first, and keep the operation for at least another {DEPRECATED_FOR_DAYS} days. Every answer of a
          deprecated operation carries two headers. <code>Deprecation</code> (RFC 9745) says since when it is deprecated, and{" "}
          <code>Sunset</code> (RFC 8594) when it may go. OpenAPI marks it <code>deprecated</code>. Have your monitoring look for these
          headers. Today nothing is deprecated.
        </p>
        <Code label="Headers of a deprecated operation, with example dates" language="http" text={DEPRECATED(baseUrl)} />
      </Section>
      <Section id="changes" title="Changes">
        <p>
          Subscribe to these changes with a feed reader: <a href="/docs/changelog/feed.atom">feed.atom</a>.
        </p>
        {days.map((day) => (
          <div key={day}>
            <h3>{day}</h3>
            <ul>
              {NUMBERED_CHANGES.filter(({ on }) => on === day).map((change) => (
                <li key={change.id} id={change.id}>
                  <b>{kindOf(change)}</b>: {change.text}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Section>
    </Shell>
  );
}
