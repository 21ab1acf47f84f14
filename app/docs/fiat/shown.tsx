import { type Creation, inLanguages, LANGUAGES, type Question } from "../_content/in-languages.ts";
import type { Program } from "../_content/programs.ts";
import { Code, Table } from "../_parts/blocks.tsx";
import { Step } from "../_parts/program.tsx";
import type { Site } from "../_parts/site.ts";
import { Tabs } from "../_parts/tabs.tsx";

/** One call in each language. */
export function Example({ site, call }: { site: Site; call: Creation | Question }) {
  return (
    <Tabs label={`Programming language of: ${call.title}`} names={LANGUAGES}>
      {inLanguages(site, call).map(({ language, text }, place) => (
        <Code key={language} label={`${call.title}, in ${LANGUAGES[place]}`} language={language} text={text} />
      ))}
    </Tabs>
  );
}

type StepProps = {
  of: string;
  program: Program;
  number: 1 | 2 | 3 | 4 | 5;
  site: Site;
  title: string;
  children: React.ReactNode;
};

/** One step of a program within a section. `of`: whose step it is, for its anchor. */
export function SubStep({ of, program, number, site, title, children }: StepProps) {
  return (
    <>
      <h3 id={`${of}-${number}`}>
        {number}. {title}
      </h3>
      {children}
      <Step program={program} number={number} site={site} title={title} />
    </>
  );
}

/** What advances an order, from and to which status, and which callback is sent. */
export function StepsTable({ caption, rows }: { caption: string; rows: string[][] }) {
  return <Table caption={caption} columns={["What happens", "status before", "status after", "Callback"]} rows={rows} />;
}

/** The name of an action in words. */
export function inWords(name: string): string {
  return name.replaceAll("_", " ");
}
