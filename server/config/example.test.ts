import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ConfigError, readConfig } from "#server/config.ts";
import { VARIABLES } from "./variables.ts";

test(".env.example names every variable exactly once, each with a comment of one line", () => {
  const lines = readFileSync(new URL("../../.env.example", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  const named = lines.filter((_, index) => index % 2 === 1).map((line) => line.split("=", 1)[0]);
  expect(named.toSorted()).toEqual(Object.keys(VARIABLES.shape).toSorted());
  for (const line of lines.filter((_, index) => index % 2 === 0)) expect(line).toMatch(/^# \S.{10,}\.$|^# .*\)\.$/);
});

test(".env.example is no configuration that live mode would start with", () => {
  const lines = readFileSync(new URL("../../.env.example", import.meta.url), "utf8").split("\n");
  const env = Object.fromEntries(
    lines.filter((line) => /^[A-Z]/.test(line)).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const problems = () => readConfig(env);
  expect(problems).toThrow(ConfigError);
  expect(problems).toThrow("VAULT_KEYS is missing.");
  expect(problems).toThrow("DATABASE_URL: the password is shorter than 12 characters.");
});
