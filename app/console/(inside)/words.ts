/** Texts of the 404 page. */
export const NOT_FOUND = {
  title: "Not found",
  heading: "There is nothing here",
  sentence: "The address may be mistyped, or you may not have access to this page. Go to {link}.",
  link: "the console's first page",
};
