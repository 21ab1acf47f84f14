import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { authCreateSchema, authViewSchema, loginFormSchema, loginResponseSchema } from "./access.ts";
import { READ, WRITE } from "./manners.ts";

export const loginOperation = defineOperation({
  id: "login_for_access_token",
  summary: "Login For Access Token",
  method: "POST",
  path: "/login",
  scope: null,
  caller: "anybody",
  kind: "write",
  body: loginFormSchema,
  media: "form",
  result: loginResponseSchema,
  refusals: ["invalid_credentials", "enrolment_required", "single_sign_on_required"],
});

export const logoutOperation = defineOperation({
  id: "logout",
  summary: "Revoke the access token that the request carries",
  method: "DELETE",
  path: "/login",
  scope: null,
  caller: "operator",
  permission: "read",
  kind: "write",
  result: z.unknown(),
  status: 204,
});

export const readAdminsMeOperation = defineOperation({
  ...READ,
  id: "read_admins_me",
  summary: "Read Admins Me",
  path: "/admins/me",
  caller: "operator",
  result: authViewSchema,
});

export const createAdminOperation = defineOperation({
  ...WRITE,
  id: "create_admin",
  summary: "Create Admin",
  method: "POST",
  path: "/admins",
  caller: "operator",
  body: authCreateSchema,
  result: authViewSchema,
  status: 201,
  proposedStatus: 202,
  refusals: ["step_up_required", "conflict"],
});
