import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { REFUSAL_CODES, type RefusalCode } from "#domain/refusal.ts";
import { ERROR_ADVICE } from "../../_content/errors.ts";
import { OPERATIONS } from "../../_content/operations.ts";
import { Section, Table } from "../../_parts/blocks.tsx";
import { Shell } from "../../_parts/shell.tsx";

type Props = { params: Promise<{ code: string }> };

async function readCode({ params }: Props): Promise<RefusalCode> {
  const { code: asked } = await params;
  return REFUSAL_CODES.find((code) => code === asked) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const code = await readCode(props);
  return { title: code, description: REFUSAL_STATUS[code].title };
}

export default async function ErrorPage(props: Props) {
  const code = await readCode(props);
  const { status, title } = REFUSAL_STATUS[code];
  const { meaning, remedy, members } = ERROR_ADVICE[code];
  const operations = OPERATIONS.filter((operation) => operation.refusals.includes(code));
  return (
    <Shell current="/docs/errors" title={<code>{code}</code>} lead={`${title}.`}>
      <dl className="facts">
        <dt>HTTP status</dt>
        <dd>{status}</dd>
      </dl>
      <Section id="meaning" title="What it means">
        <p>{meaning}</p>
      </Section>
      <Section id="remedy" title="What to do">
        <p>{remedy}</p>
      </Section>
      {members ? (
        <Section id="members" title="Members of the answer">
          <Table
            caption={`Members that ${code} adds to the problem document`}
            columns={["Member", "Meaning"]}
            rows={Object.entries(members).map(([name, text]) => [<code key={name}>{name}</code>, text])}
          />
        </Section>
      ) : null}
      {operations.length > 0 ? (
        <Section id="operations" title="Where it happens">
          <ul>
            {operations.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`/docs/reference#${id}`}>
                  <code>
                    {method} {path}
                  </code>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <p>
        <a href="/docs/errors">All errors</a>
      </p>
    </Shell>
  );
}
