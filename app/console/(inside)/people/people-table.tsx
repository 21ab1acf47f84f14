import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../_components/controls/button.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { onDemand } from "../../_components/controls/on-demand.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import type { Person } from "./answers.ts";
import type { Deed } from "./person-dialog.tsx";
import { PEOPLE_TABLE, ROLES } from "./words.ts";

const PersonDialog = onDemand(() => import("./person-dialog.tsx").then(({ PersonDialog: Loaded }) => Loaded));

type PeopleTableProps = { people: readonly Person[]; self: string; onChange: () => void; showPartner: boolean };

/** Who may sign in. Nobody changes themselves: in one's own row there is nothing to press. */
export function PeopleTable({ people, self, onChange, showPartner }: PeopleTableProps) {
  const says = useWords(PEOPLE_TABLE);
  const roles = useWords(ROLES);
  const [chosen, setChosen] = useState<{ person: Person; deed: Deed } | null>(null);
  const actions = (person: Person) =>
    person.id === self ? null : <Actions person={person} onChoose={(deed) => setChosen({ person, deed })} />;
  const columns: Column<Person>[] = [
    { id: "name", header: says.name, pinned: true, cell: (person) => <Who person={person} self={self} />, card: 1.1 },
    { id: "role", header: says.role, cell: ({ role }) => roles[role], card: 2.1 },
    ...(showPartner
      ? [{ id: "partner", header: says.partner, cell: ({ partner }: Person) => (partner ? <Data>{partner.name}</Data> : says.operator) }]
      : []),
    { id: "two-factors", header: says.twoFactors, cell: (person) => <TwoFactorState {...person} />, card: 3.1 },
    { id: "active", header: says.lastActive, cell: (person) => <LastActive {...person} />, card: 3.2, aside: true },
    { id: "state", header: says.state, cell: (person) => <State {...person} />, card: 2.2 },
    { id: "actions", header: "", align: "end", cell: actions, card: 1.2 },
  ];
  return (
    <>
      <Table caption={says.people} columns={columns} rows={people} keyOf={({ id }) => id} />
      {chosen && <PersonDialog {...chosen} onClose={() => setChosen(null)} onChange={onChange} />}
    </>
  );
}

function Who({ person, self }: { person: Person; self: string }) {
  const says = useWords(PEOPLE_TABLE);
  return (
    <span className="who">
      <strong>
        <Data>{person.name}</Data>
        {person.id === self && <span className="muted"> {says.you}</span>}
      </strong>
      <span className="muted" translate="no">
        {person.email}
      </span>
    </span>
  );
}

function TwoFactorState({ two_factors }: Pick<Person, "two_factors">) {
  const says = useWords(PEOPLE_TABLE);
  return two_factors ? says.twoFactors : <span className="muted">{says.passwordOnly}</span>;
}

/** Real time, not the sandbox's: told as an instant, never as "ago". */
function LastActive({ last_active_at }: Pick<Person, "last_active_at">) {
  const says = useWords(PEOPLE_TABLE);
  return last_active_at === null ? <span className="muted">{says.neverSigned}</span> : <Time at={last_active_at} form="absolute" />;
}

function State({ disabled_at }: Pick<Person, "disabled_at">) {
  const says = useWords(PEOPLE_TABLE);
  return (
    <span className="badge" data-tone={disabled_at === null ? "executed" : "cancelled"}>
      {disabled_at === null ? says.active : says.shutOut}
    </span>
  );
}

function Actions({ person, onChoose }: { person: Person; onChoose: (deed: Deed) => void }) {
  const says = useWords(PEOPLE_TABLE);
  return (
    <Menu trigger={<IconButton label={says.actionsOn(person.name)} icon={MoreHorizontal} />}>
      <MenuItem onSelect={() => onChoose("role")}>{says.changeRole}</MenuItem>
      {person.two_factors && <MenuItem onSelect={() => onChoose("reset")}>{says.resetTwoFactors}</MenuItem>}
      <MenuItem onSelect={() => onChoose(person.disabled_at === null ? "disable" : "enable")}>
        {person.disabled_at === null ? says.shutOut : says.letAgain}
      </MenuItem>
    </Menu>
  );
}
