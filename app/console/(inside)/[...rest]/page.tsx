import { notFound } from "next/navigation";
import { requirePerson } from "../../_trpc/page.ts";

/** Addresses below the console that lead nowhere say so inside of it. */
export default async function Nowhere(): Promise<never> {
  await requirePerson();
  notFound();
}
