import { readFileSync } from "node:fs";

import { VigilesError } from "../errors.ts";
import { knownOptions } from "../options.ts";
import type { ModelRequest, TraceLike } from "../trace/types.ts";
import type { HarnessAdapter } from "./adapter.ts";
import type { HarnessTestSpec } from "./spec.ts";

/** Where a run happens. */
export interface HarnessPlace {
  /** The work dir. The files of the spec are in it. */
  readonly cwd: string;
  /** `HOME` of the run. The CLI's own configuration belongs there. */
  readonly home: string;
  /** `TMPDIR` of the run. */
  readonly tmp: string;
  /** The CLI's program. */
  readonly program: string;
  /** `PATH` of the run. */
  readonly path: string;
  /** Where the scripted model listens: `http://127.0.0.1:PORT`. */
  readonly modelUrl: string;
}

/** What the user says in one launch. */
export interface HarnessUserTurn {
  /** The text. */
  readonly prompt: string;
  /** Which one of the run it is, from 0. All but the first go on with the session of those before. */
  readonly index: number;
  /** What the CLI wrote to standard output so far. Not there before the first launch. */
  readonly stdoutFile: string;
}

/** The command of one launch. */
export interface HarnessLaunch {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /**
   * Its variables. `PATH`, `HOME` and `TMPDIR` are those of the place unless given; `env` of the spec is added. Nothing of the
   * caller's is.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads on standard input. Default: nothing. */
  readonly stdin?: string;
}

/** How a launch ended. */
export interface HarnessEnded {
  /** Absent when a signal ended it. */
  readonly exitCode?: number;
  readonly stderr: string;
  /** What it wrote to standard output. */
  readonly stdoutFile: string;
  /** How many model requests it made. */
  readonly requests: number;
}

/** What launches left. */
export interface HarnessLeft {
  /** What the CLI wrote to standard output, that of all launches one after the other. */
  readonly stdoutFile: string;
  /** What reached the model. */
  readonly modelRequests: readonly ModelRequest[];
}

/**
 * How to drive a CLI. Directories, model, time limit, processes, the script's soundness and cleaning up are not its
 * business. What a member throws is the message of `VIGILES_ADAPTER_FAILED`.
 */
export interface HarnessDriver {
  /** Fields of a spec that the CLI has nothing for, with the reason. A spec that asks for one is refused before anything is made. */
  readonly refuses?: Readonly<Partial<Record<keyof HarnessTestSpec, string>>>;
  /** Writes the CLI's configuration and the harness under test. */
  prepare?(spec: HarnessTestSpec, place: HarnessPlace): void | Promise<void>;
  /** The command of one launch. */
  launch(spec: HarnessTestSpec, place: HarnessPlace, turn: HarnessUserTurn): HarnessLaunch | Promise<HarnessLaunch>;
  /**
   * Says why a launch left nothing to judge; nothing if it left something. A launch that was ended at its time limit, or
   * never asked the model, has failed without being asked about.
   */
  failure?(ended: HarnessEnded, place: HarnessPlace): string | undefined | Promise<string | undefined>;
  /** Reads what the launches left. What it does not know it leaves out: an empty list says that there was nothing. */
  read(left: HarnessLeft, place: HarnessPlace): TraceLike | Promise<TraceLike>;
}

const MEMBERS = ["refuses", "prepare", "launch", "failure", "read"] as const satisfies readonly (keyof HarnessDriver)[];

interface Asked {
  readonly place: HarnessPlace;
  readonly turn: HarnessUserTurn;
  readonly ended: Omit<HarnessEnded, "exitCode"> & { readonly exitCode: number | null };
  readonly stdoutFile: string;
  readonly modelRequests: readonly ModelRequest[];
}

/** A driver as it crosses to native code: what is told once, and a function that calls its members by name. */
export function driving(adapter: HarnessAdapter, driver: HarnessDriver, spec: HarnessTestSpec): { about: object; call: (member: string, asked: string) => Promise<string> } {
  knownOptions(`the driver of ${adapter.title}`, driver, MEMBERS);
  const members: Record<string, (asked: Asked) => unknown> = {
    prepare: async ({ place }) => {
      await driver.prepare?.(spec, place);
      return null;
    },
    launch: async ({ place, turn }) => launchOf(await driver.launch(spec, place, turn), place, spec.env),
    failure: async ({ place, ended: { exitCode, ...ended } }) => (await driver.failure?.({ ...ended, ...(exitCode === null ? {} : { exitCode }) }, place)) ?? null,
    read: async ({ place, stdoutFile, modelRequests }) => await driver.read({ stdoutFile, modelRequests }, place),
  };
  return {
    about: {
      title: adapter.title,
      modelApi: adapter.modelApi,
      program: adapter.program.name,
      install: adapter.install ?? `Install it, and name its program with the variable ${adapter.program.variable}`,
      refuses: Object.entries(driver.refuses ?? {}).map(([field, reason]) => ({ field, reason })),
    },
    call: async (member, asked) => {
      const given: unknown = await members[member]?.(JSON.parse(asked) as Asked);
      // What has no JSON is said by native code, with the member's name.
      return JSON.stringify(given) ?? String(given);
    },
  };
}

function launchOf({ argv, env, stdin }: HarnessLaunch, { path, home, tmp }: HarnessPlace, asked: HarnessTestSpec["env"]): object {
  return { argv, env: Object.entries({ PATH: path, HOME: home, TMPDIR: tmp, ...env, ...asked }), ...(stdin === undefined ? {} : { stdin }) };
}

/**
 * The JSON lines of a file, for drivers whose CLI prints such. A last line that was cut is left out; any other line that
 * is no JSON is an error with its number.
 */
export function readJsonLines(file: string): unknown[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch (cause) {
      if (index === lines.length - 1) return [];
      throw new VigilesError("VIGILES_ADAPTER_FAILED", `expected a JSON value in each line of the stream, but line ${index + 1} has none: ${line.slice(0, 120)}`, { cause });
    }
  });
}
