/** A file as text, as the bundler and the tests read it. */
declare module "*?raw" {
  const text: string;
  export default text;
}
