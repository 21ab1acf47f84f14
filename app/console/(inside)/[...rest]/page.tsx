import { notFound } from "next/navigation";
import { requirePerson } from "../../_trpc/page.ts";

/** Unknown paths of the console show a 404 page within its frame. */
export default async function Nowhere(): Promise<never> {
  await requirePerson();
  notFound();
}
