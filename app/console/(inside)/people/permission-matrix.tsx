import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import type { Role } from "./roles.ts";
import { PERMISSION_MATRIX, ROLES } from "./words.ts";

const ORDER: readonly Role[] = ["admin", "approver", "viewer", "owner", "staff"];

/** Role by permission, as the service itself decides it. */
export function PermissionMatrix() {
  const says = useWords(PERMISSION_MATRIX);
  const words = useWords(ROLES);
  const trpc = useTRPC();
  const list = useQuery(trpc.people.permissions.queryOptions());
  if (list.isPending) return <Skeleton rows={5} />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} compact />;
  const known = new Set(list.data.flatMap(({ roles }) => roles));
  const roles = ORDER.filter((role) => known.has(role) || (role === "staff" && known.has("owner")));
  return (
    <Scroll label={says.label}>
      <table className="matrix">
        <caption className="sr-only">{says.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{says.permission}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {words[role]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.data.map(({ deed, roles: may }) => (
            <tr key={deed}>
              <th scope="row">{says.deeds[deed]}</th>
              {roles.map((role) => (
                <td key={role}>{may.includes(role) ? <Yes /> : <No />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Yes() {
  const says = useWords(PERMISSION_MATRIX);
  return (
    <>
      <Check aria-hidden size={16} />
      <span className="sr-only">{says.yes}</span>
    </>
  );
}

function No() {
  const says = useWords(PERMISSION_MATRIX);
  return (
    <>
      <span aria-hidden className="muted">
        –
      </span>
      <span className="sr-only">{says.no}</span>
    </>
  );
}
