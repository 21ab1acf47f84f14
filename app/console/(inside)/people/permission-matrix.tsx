import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { ROLES } from "./role-words.ts";
import type { Role } from "./roles.ts";
import { PERMISSION_MATRIX } from "./words.ts";

const ORDER: readonly Role[] = ["admin", "approver", "viewer", "owner", "staff"];

/** Permissions by role, from the service's own rules. */
export function PermissionMatrix() {
  const t = useTranslations(PERMISSION_MATRIX);
  const words = useTranslations(ROLES);
  const trpc = useTRPC();
  const list = useQuery(trpc.people.permissions.queryOptions());
  if (list.isPending) return <Skeleton rows={5} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} compact />;
  const known = new Set(list.data.flatMap(({ roles }) => roles));
  const roles = ORDER.filter((role) => known.has(role) || (role === "staff" && known.has("owner")));
  return (
    <Scroll label={t.label}>
      <table className="matrix">
        <caption className="sr-only">{t.whatEachRoleMayDo}</caption>
        <thead>
          <tr>
            <th scope="col">{t.permission}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {words[role]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.data.map(({ permission, roles: may }) => (
            <tr key={permission}>
              <th scope="row">{t.permissions[permission]}</th>
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
  const t = useTranslations(PERMISSION_MATRIX);
  return (
    <>
      <Check aria-hidden size={16} />
      <span className="sr-only">{t.yes}</span>
    </>
  );
}

function No() {
  const t = useTranslations(PERMISSION_MATRIX);
  return (
    <>
      <span aria-hidden className="muted">
        –
      </span>
      <span className="sr-only">{t.no}</span>
    </>
  );
}
