/** The title of every page of the console. */
export const CONSOLE = { title: "Console" };
