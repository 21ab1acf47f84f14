import { expect, test } from "vitest";
import { CLI_COMMANDS, CLI_EXIT_CODES } from "#app/docs/_content/commands.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit.ts";

test("the page of the command line describes every command and every exit code", () => {
  expect(Object.entries(CLI_COMMANDS)).toEqual(COMMANDS.map(({ name, summary }) => [name, summary]));
  expect(CLI_EXIT_CODES.map(([code]) => code)).toEqual(Object.values(EXIT));
});
