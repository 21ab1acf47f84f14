import { redirect } from "next/navigation";

/** The root redirects to the console, where a visitor who is not signed in finds a link to the documentation. */
export default function Root(): never {
  redirect("/console");
}
