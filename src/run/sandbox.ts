import { existsSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

import { pairs } from "../environment.ts";
import { VigilesError } from "../errors.ts";
import { hookProgram } from "../native.ts";
import { knownOptions } from "../options.ts";

/**
 * When a run is confined. `"auto"`: unless it is trusted. `"strict"`: always. `false`: never. Where a run would have to be
 * confined and cannot be, it is refused: it never runs unconfined instead.
 */
export type SandboxMode = "auto" | "strict" | false;

/** What a confined command may use. */
export interface SandboxLimits {
  /** Processes and threads at the same time. Default 256. */
  readonly processes?: number;
  /** Bytes in the work directory, with what is there at the start; also the largest file. Default 512 MiB. */
  readonly workBytes?: number;
  /** Bytes in each of the home and the directories for temporary files. Default 256 MiB. */
  readonly tempBytes?: number;
  /** Files, directories and links in the work directory. Default 200 000. */
  readonly entries?: number;
}

/** Options of a run that can be confined. */
export interface SandboxOptions {
  /**
   * When it is confined. Default `"auto"` with `trusted: false` or `recordEgress`, else `false`. A mode that is given is
   * decided as for an untrusted command, so `"auto"` confines.
   */
  readonly sandbox?: SandboxMode;
  /** Whether it may run unconfined. Default `true`. */
  readonly trusted?: boolean;
  /** Records connections out through a proxy that lets none through: `egress` of the result. Default `false`. */
  readonly recordEgress?: boolean;
  /**
   * Connections that go through, `name` or `name:port`; all others are dropped. Always confined. Needs slirp4netns and
   * nft. `10.0.2.2:port` is a port of this machine's loopback.
   */
  readonly egress?: { readonly allow: readonly string[] };
  /** What it may use when it is confined. */
  readonly sandboxLimits?: SandboxLimits;
}

/** The names of {@link SandboxOptions}. */
export const SANDBOX_OPTIONS = ["sandbox", "trusted", "recordEgress", "egress", "sandboxLimits"] as const satisfies readonly (keyof SandboxOptions)[];

const LIMITS = ["processes", "workBytes", "tempBytes", "entries"] as const satisfies readonly (keyof SandboxLimits)[];

/** The options as they cross; `undefined` if none is given. */
export function sandboxOptions(caller: string, options: SandboxOptions): object | undefined {
  const { sandbox, trusted, recordEgress, egress, sandboxLimits } = options;
  if (SANDBOX_OPTIONS.every((name) => options[name] === undefined)) return undefined;
  checkMode(sandbox);
  checkBoolean("trusted", trusted);
  checkBoolean("recordEgress", recordEgress);
  if (egress !== undefined) {
    knownOptions(`the option egress of ${caller}`, egress, ["allow"]);
    const hosts: unknown = egress.allow;
    if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === "string")) {
      throw invalid("egress.allow", 'an array of hosts, such as ["packages.example.com:443"]', hosts);
    }
  }
  return { sandbox, trusted, recordEgress: recordEgress ?? false, egress, limits: checkedLimits(caller, sandboxLimits), listenHelper: hookProgram(), ...hiddenAndShown() };
}

/** Refuses what is no {@link SandboxMode}. */
export function checkMode(mode: unknown): void {
  if (mode === undefined || mode === "auto" || mode === "strict" || mode === false) return;
  throw invalid("sandbox", '"auto", "strict" or false', mode);
}

/** Refuses what is no boolean. */
export function checkBoolean(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "boolean") throw invalid(name, "true or false", value);
}

/** The limits that are given, checked. */
export function checkedLimits(caller: string, limits: SandboxLimits = {}): SandboxLimits {
  knownOptions(`the option sandboxLimits of ${caller}`, limits, LIMITS);
  for (const name of LIMITS) {
    const value = limits[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) throw invalid(`sandboxLimits.${name}`, "a whole number above 0", value);
  }
  return limits;
}

/** Variables that name directories with what is the user's own. */
const OWN_DIRECTORIES = ["HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "GNUPGHOME"] as const;

/**
 * What a confined command does not see of this machine, and what it sees although it may lie in there: the project, to
 * read, and Node.
 */
export function hiddenAndShown(): { hidden: string[]; shown: string[] } {
  const project = process.cwd();
  const inProject = (path: string) => path.startsWith(project + sep);
  const own = OWN_DIRECTORIES.map((name) => process.env[name]).filter((path) => path !== undefined && isAbsolute(path) && isDirectory(path) && !inProject(path));
  const temporary = [tmpdir()].filter((path) => isAbsolute(path) && isDirectory(path) && !inProject(path) && !project.startsWith(path + sep));
  const node = dirname(process.execPath);
  return {
    hidden: [...new Set([homedir(), ...(own as string[]), ...temporary])],
    shown: [project, process.execPath, node, join(dirname(node), "lib/node_modules")].filter((path) => existsSync(path)),
  };
}

/** The environment of a confined command: nothing of the process's, and the Node that runs it before another. */
export function confinedEnvironment(overlay: Readonly<Record<string, string | undefined>> = {}): [string, string][] {
  return pairs({ PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` }, overlay);
}

/** The work directory of a confined command: the caller's `cwd`, else one that is empty at first and gone afterwards. */
export function workDir(cwd: string | undefined): string | undefined {
  return cwd === undefined ? undefined : resolve(cwd);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function invalid(name: string, expected: string, value: unknown): VigilesError {
  const seen = value === null || typeof value !== "object" ? (typeof value === "string" ? JSON.stringify(value) : String(value)) : Array.isArray(value) ? "an array with other values" : "an object";
  return new VigilesError("VIGILES_INVALID_ARGUMENT", `expected ${name} to be ${expected}, but got ${seen}`);
}
