import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../_components/controls/button.tsx";
import { Menu, MenuItem } from "../../_components/controls/menu.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import type { Person } from "./answers.ts";
import { type Deed, PersonDialog } from "./person-dialog.tsx";
import { ROLE_WORDS } from "./roles.ts";

type PeopleTableProps = { people: readonly Person[]; self: string; onChange: () => void; showPartner: boolean };

/** Who may sign in. Nobody changes themselves: in one's own row there is nothing to press. */
export function PeopleTable({ people, self, onChange, showPartner }: PeopleTableProps) {
  const [chosen, setChosen] = useState<{ person: Person; deed: Deed } | null>(null);
  const actions = (person: Person) =>
    person.id === self ? null : <Actions person={person} onChoose={(deed) => setChosen({ person, deed })} />;
  const columns: Column<Person>[] = [
    { id: "name", header: "Name", pinned: true, cell: (person) => <Who person={person} self={self} />, card: 1.1 },
    { id: "role", header: "Role", cell: ({ role }) => ROLE_WORDS[role], card: 2.1 },
    ...(showPartner ? [{ id: "partner", header: "Partner", cell: ({ partner }: Person) => partner?.name ?? "Operator" }] : []),
    { id: "two-factors", header: "Two factors", cell: TwoFactorState, card: 3.1 },
    { id: "active", header: "Last active", cell: LastActive, card: 3.2, aside: true },
    { id: "state", header: "State", cell: State, card: 2.2 },
    { id: "actions", header: "", align: "end", cell: actions, card: 1.2 },
  ];
  return (
    <>
      <Table caption="People" columns={columns} rows={people} keyOf={({ id }) => id} />
      {chosen && <PersonDialog {...chosen} onClose={() => setChosen(null)} onChange={onChange} />}
    </>
  );
}

function Who({ person, self }: { person: Person; self: string }) {
  return (
    <span className="who">
      <strong>
        {person.name}
        {person.id === self && <span className="muted"> (you)</span>}
      </strong>
      <span className="muted">{person.email}</span>
    </span>
  );
}

function TwoFactorState({ two_factors }: Pick<Person, "two_factors">) {
  return two_factors ? "Two factors" : <span className="muted">Password only</span>;
}

/** Real time, not the sandbox's: told as an instant, never as "ago". */
function LastActive({ last_active_at }: Pick<Person, "last_active_at">) {
  return last_active_at === null ? <span className="muted">Never signed in</span> : <Time at={last_active_at} form="absolute" />;
}

function State({ disabled_at }: Pick<Person, "disabled_at">) {
  return (
    <span className="badge" data-tone={disabled_at === null ? "executed" : "cancelled"}>
      {disabled_at === null ? "Active" : "Shut out"}
    </span>
  );
}

function Actions({ person, onChoose }: { person: Person; onChoose: (deed: Deed) => void }) {
  return (
    <Menu trigger={<IconButton label={`Actions on ${person.name}`} icon={MoreHorizontal} />}>
      <MenuItem onSelect={() => onChoose("role")}>Change role</MenuItem>
      {person.two_factors && <MenuItem onSelect={() => onChoose("reset")}>Reset two factors</MenuItem>}
      <MenuItem onSelect={() => onChoose(person.disabled_at === null ? "disable" : "enable")}>
        {person.disabled_at === null ? "Shut out" : "Let in again"}
      </MenuItem>
    </Menu>
  );
}
