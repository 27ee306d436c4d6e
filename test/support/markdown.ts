import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { ROOT } from "../../scripts/lib/entries.mjs";

/** A fenced block of code. */
export interface Block {
  readonly language: string;
  /** What stands after the language: `run`, `check`, or nothing. */
  readonly mark: string;
  readonly code: string;
  /** The line of the opening fence, counted from 1. */
  readonly line: number;
}

interface Link {
  /** From the root of the repository. */
  readonly file: string;
  readonly anchor?: string;
  readonly line: number;
}

/** A page of the documentation, by its path from the root of the repository. */
export function page(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The fenced blocks of a page. Fences inside an indented block are text. */
export function blocks(text: string): Block[] {
  return parse(text).blocks;
}

/** The links of a page that lead to a file or a heading of the repository. */
export function links(path: string): Link[] {
  const { prose } = parse(page(path));
  return prose.flatMap(({ text, line }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => {
        const [file = "", anchor] = target.split("#");
        const from = file === "" ? path : join(dirname(path), file);
        return anchor === undefined ? { file: from, line } : { file: from, anchor, line };
      }),
  );
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchors(text: string): string[] {
  return parse(text)
    .prose.filter(({ text: line }) => /^#{1,6} /.test(line))
    .map(({ text: line }) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    );
}

/** The rows of all tables under a heading and its sub-headings, without heads and rules, as cells. */
export function rows(text: string, heading: string): string[][] {
  const lines = parse(text).prose.map(({ text: line }) => line);
  const start = lines.findIndex((line) => depth(line) > 0 && line.replace(/^#+ /, "") === heading);
  if (start === -1) throw new Error(`expected the heading "${heading}", but there is none`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => depth(line) > 0 && depth(line) <= depth(lines[start] ?? ""));
  const section = rest.slice(0, end === -1 ? undefined : end);
  const isRule = (line: string | undefined) => /^\|[\s:|-]+\|$/.test(line ?? "");
  return section
    .filter((line, index) => line.startsWith("|") && !isRule(line) && !isRule(section[index + 1]))
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

/** How deep a heading is; 0 for any other line. */
function depth(line: string): number {
  return /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
}

/** What stands in backticks. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
}

interface Parsed {
  readonly blocks: Block[];
  /** Lines outside of fences. */
  readonly prose: { text: string; line: number }[];
}

function parse(text: string): Parsed {
  const found: Parsed = { blocks: [], prose: [] };
  let open: { language: string; mark: string; code: string[]; line: number } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(\w*) ?(.*)$/.exec(line);
    if (open !== undefined && fence !== null) {
      found.blocks.push({ ...open, code: `${open.code.join("\n")}\n` });
      open = undefined;
    } else if (open !== undefined) {
      open.code.push(line);
    } else if (fence === null) {
      found.prose.push({ text: line, line: index + 1 });
    } else {
      open = { language: fence[1] ?? "", mark: fence[2] ?? "", code: [], line: index + 1 };
    }
  }
  if (open !== undefined) throw new Error(`the fence of line ${open.line} is never closed`);
  return found;
}
