import type { Metadata } from "next";
import { CHANGES } from "#contract/changes.ts";
import { DEPRECATED_FOR_DAYS } from "#contract/deprecation.ts";
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
  const days = [...new Set(CHANGES.map(({ on }) => on))];
  return (
    <Shell current={page.path} title={page.title} lead="What may change under you, what never does, and what has changed.">
      <Section id="versions" title="Versions">
        <p>
          The version stands in the path: <code>/api/v1</code>. What would break a client gets a new one beside it. The partner-management
          surface has no version in its paths, and keeps the same promises.
        </p>
        <Table
          caption="What may change within a version"
          columns={["May happen at any time", "Does not happen"]}
          rows={[
            ["An answer or a callback gets a new field.", "A field goes away, or changes its type or meaning."],
            ["A request may carry a new optional field.", "A request needs a field that it did not need."],
            ["There is a new operation, event, error code or fault code.", "The values of status change, or those of approval_state."],
            ["The words of detail, title and message change.", "A code comes to mean something else."],
            ["There are new pages, headers and optional query parameters.", "An amount is rounded otherwise."],
          ]}
        />
        <p>
          So pass over fields and events that you do not know, treat an unknown code by its HTTP status, and decide nothing by words. What
          breaks this is found by a machine: each build is compared with the documents of the last release.
        </p>
      </Section>
      <Section id="deprecation" title="Deprecation">
        <p>
          What is to go is told here first, and stays for {DEPRECATED_FOR_DAYS} days at least. From then on every answer of such an
          operation carries <code>Deprecation</code> (RFC 9745), since when, and <code>Sunset</code> (RFC 8594), when it may be gone;
          OpenAPI marks it <code>deprecated</code>. Let your monitoring look for these headers. Today nothing is deprecated.
        </p>
        <Code label="Headers of a deprecated operation, with days of an example" language="http" text={DEPRECATED(baseUrl)} />
      </Section>
      <Section id="changes" title="Changes">
        {days.map((day) => (
          <div key={day}>
            <h3>{day}</h3>
            <ul>
              {CHANGES.filter(({ on }) => on === day).map(({ kind, text }) => (
                <li key={text}>
                  <b>{`${kind[0]?.toUpperCase()}${kind.slice(1)}`}</b>: {text}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Section>
    </Shell>
  );
}
