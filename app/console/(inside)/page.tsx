import { redirect } from "next/navigation";
import { requirePerson } from "../_trpc/session.ts";

/** Where one begins. */
export default async function ConsoleHome(): Promise<never> {
  const { partnerId } = await requirePerson();
  redirect(partnerId === null ? "/console/approvals" : "/console/settlements");
}
