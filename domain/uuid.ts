const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text could be the id of a partner, member, user or key. A text that could not names nothing: 404. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
