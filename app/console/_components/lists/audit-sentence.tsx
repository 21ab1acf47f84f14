import { Id } from "#app/console/_components/controls/values.tsx";
import type { Answers } from "#server/console/router.ts";
import { useTranslations } from "../../_words/words.ts";
import { Link } from "../controls/link.tsx";
import { AUDIT_ENTRIES } from "./words.ts";

export type Entry = Answers["audit"]["list"]["data"][number];

/** The action and its object, in the service's own sentence. */
export function Sentence({ entry: { sentence, object, action } }: { entry: Entry }) {
  return (
    <span className="sentence" lang="en">
      {sentence.before} {sentence.mentions && <ObjectName id={object.id} name={object.name} action={action} />} {sentence.after}
    </span>
  );
}

const HOMES: readonly [of: RegExp, home: string][] = [
  [/^tx_/, "/console/settlements"],
  [/^(wd|tu)_/, "/console/fiat"],
];
const BY_KIND: Record<string, string> = { partner: "/console/partners", member: "/console/members" };

/** The object's name, with a link to its page if it has one. */
function ObjectName({ id, name, action }: { id: string; name: string | null; action: string }) {
  const t = useTranslations(AUDIT_ENTRIES);
  const home = HOMES.find(([of]) => of.test(id))?.[1] ?? BY_KIND[action.split(".")[0] ?? ""];
  if (name !== null) {
    return home === undefined ? <strong>{name}</strong> : <Link href={`${home}/${id}`}>{name}</Link>;
  }
  return <Id value={id} what={t.id} copy={false} {...(home !== undefined && { href: `${home}/${id}` })} />;
}
