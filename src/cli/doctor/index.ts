import { join, resolve } from "node:path";

import { fromNative } from "../../errors.ts";
import { native } from "../../native.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { filesBelow } from "../files.ts";
import { type Paint, paintFor, print } from "../terminal.ts";
import { stripsTypes, tsxFor } from "../test/typescript.ts";
import { indent, messageOf } from "../text.ts";
import type { Finding } from "./finding.ts";
import { programs } from "./programs.ts";
import { major, runners } from "./runners.ts";

/** The oldest major version of Node that is supported. */
const OLDEST_NODE = 20;

/** Options of `vigiles doctor`. */
export interface DoctorOptions {
  readonly json?: boolean;
  /** The folder of this package. */
  readonly root: string;
  /** The version of this package. */
  readonly version: string;
}

/** `vigiles doctor`: whether everything needed is there. */
export async function doctor({ json, root, version }: DoctorOptions): Promise<ExitCode> {
  const cwd = process.cwd();
  const core = nativePart(version);
  const findings: Finding[] = [
    { name: "vigiles", status: "ok", found: `${version}, ${resolve(root)}` },
    core,
    node(),
    typescript(cwd, core.status === "ok"),
    ...runners(cwd),
    ...(await programs(process.env["PATH"] ?? "")),
  ];
  const ok = findings.every(({ status }) => status !== "problem");
  print(json === true ? JSON.stringify({ version: 1, ok, findings }) : show(findings, paintFor(process.stdout)));
  return ok ? Exit.ok : Exit.bad;
}

function nativePart(version: string): Finding {
  const name = "native part";
  const platform = `${process.platform} ${process.arch}`;
  try {
    const core = fromNative(() => native().coreVersion());
    if (core === version) return { name, status: "ok", found: `${core}, ${platform}` };
    return {
      name,
      status: "problem",
      found: `${core}, ${platform}`,
      advice: `expected the version of the package, ${version}: install again, in a checkout run \`npm run build:native\``,
    };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return { name, status: "problem", found: `none that loads on ${platform}${cause === undefined ? "" : `: ${messageOf(cause)}`}`, advice: messageOf(error) };
  }
}

function node(): Finding {
  const { node: version } = process.versions;
  const name = "Node.js";
  if (major(version) >= OLDEST_NODE) return { name, status: "ok", found: `${version}, ${process.execPath}` };
  return { name, status: "problem", found: version, advice: `expected ${OLDEST_NODE} or newer` };
}

function typescript(cwd: string, canSearch: boolean): Finding {
  const name = "TypeScript scripts";
  if (tsxFor(join(cwd, "package.json")) !== undefined) return { name, status: "ok", found: "run with the project's tsx" };
  if (stripsTypes()) return { name, status: "ok", found: "run by Node, which strips types" };
  const found = "not run: this Node does not strip types, and the project has no tsx";
  const advice = "run `npm install --save-dev tsx`, or use Node 22.18, 23.6 or newer";
  // Without such scripts nothing is missing.
  const scripts = canSearch ? filesBelow(cwd, ["*.harness.{mts,cts,ts}"]) : [];
  return { name, status: scripts.length > 0 ? "problem" : "note", found, advice };
}

function show(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const marks = { ok: paint.green("✓"), note: paint.yellow("-"), problem: paint.red("✗") };
  const lines = findings.map(({ name, status, found, advice }) => {
    const line = `${marks[status]} ${name.padEnd(width)}  ${indent(found, width + 4).trimStart()}`;
    return advice === undefined ? line : `${line}\n${indent(advice, width + 4)}`;
  });
  const problems = findings.filter(({ status }) => status === "problem").length;
  const end = problems === 0 ? "Everything that is needed is there." : paint.red(`${problems} of these ${problems === 1 ? "needs" : "need"} your attention.`);
  return `${lines.join("\n")}\n\n${end}`;
}
