/** A member of a composite literal of Go: its key with the colon, and its value, which may have several lines. */
export type GoMember = { key: string; text: string };

/** The members' lines as gofmt writes them: values of successive members on one line each begin in one column. */
export function inColumns(members: readonly GoMember[], indent: string): string[] {
  const isBlock = ({ text }: GoMember) => text.includes("\n");
  return members.map((member, place) => {
    if (isBlock(member)) return `${indent}${member.key} ${member.text},`;
    let [first, end] = [place, place + 1];
    while (first > 0 && !isBlock(members[first - 1] ?? member)) first -= 1;
    while (end < members.length && !isBlock(members[end] ?? member)) end += 1;
    const width = Math.max(...members.slice(first, end).map(({ key }) => key.length));
    return `${indent}${member.key.padEnd(width)} ${member.text},`;
  });
}
