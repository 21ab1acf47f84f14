import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { REFUSAL_STATUS } from "#contract/refusal-status.ts";
import { REFUSAL_CODES, type RefusalCode } from "#domain/refusal.ts";
import { BESIDES, type Place, placesOf } from "../../_content/error-places.ts";
import { ERROR_ADVICE } from "../../_content/errors.ts";
import { operationHref } from "../../_content/operation-groups.ts";
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
  return (
    <Shell current="/docs/errors" path={`/docs/errors/${code}`} title={<code>{code}</code>} lead={`${title}.`}>
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
      <Section id="operations" title="Where it happens">
        {BESIDES[code] === undefined ? null : <p>{BESIDES[code]}</p>}
        {placesOf(code).map((place) => (
          <Where key={place.surface} {...place} />
        ))}
      </Section>
      <p>
        <a href="/docs/errors">All errors</a>
      </p>
    </Shell>
  );
}

function Where({ surface, page, all, operations }: Place) {
  const name = <a href={page}>{surface}</a>;
  if (all !== null) {
    return (
      <p>
        {name}: {all}.
      </p>
    );
  }
  return (
    <>
      <p>{name}:</p>
      <ul>
        {operations.map(({ id, method, path }) => (
          <li key={id}>
            <a href={page === "/docs/sandbox" ? page : operationHref({ id, path })}>
              <code>
                {method} {path}
              </code>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
