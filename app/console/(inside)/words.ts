/** Where an address leads nowhere. */
export const NOT_FOUND = {
  title: "Not found",
  heading: "There is nothing here",
  sentence: "The address may be mistyped, or what it names is not yours to see. Go to {link}.",
  link: "the console's first page",
};
