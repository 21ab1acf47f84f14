import { redirect } from "next/navigation";

/** The root leads to the partners' documentation. */
export default function Root(): never {
  redirect("/docs");
}
