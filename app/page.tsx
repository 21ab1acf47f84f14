import { redirect } from "next/navigation";

/** The root leads to the console; whoever is not signed in finds the way to the documentation there. */
export default function Root(): never {
  redirect("/console");
}
