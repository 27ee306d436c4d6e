import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type * as Binding from "../native/binding.cjs";
import { VigilesError } from "./errors.ts";

/** The native part of vigiles could not be loaded: its package for this platform is missing or does not fit the machine. */
export class NativeMissingError extends VigilesError {
  override readonly name: string = "NativeMissingError";

  constructor(cause: unknown) {
    const platform = platformName();
    super(
      "VIGILES_NATIVE_MISSING",
      `expected its native part for ${platform}, found none that loads. ` +
        `It comes as the optional package @vigiles/native-${platform}: install with optional dependencies ` +
        `(\`npm install --include=optional\`), on the machine that runs the tests, not copied from another one. ` +
        `In a checkout of vigiles run \`npm run build:native\`.`,
      { cause },
    );
  }
}

let loaded: typeof Binding | undefined;

/** The native part, loaded at the first call: importing vigiles alone costs nothing and cannot fail. */
export function native(): typeof Binding {
  loaded ??= load();
  return loaded;
}

function load(): typeof Binding {
  try {
    // From `src` and from `dist` alike the loader is one level up.
    return createRequire(import.meta.url)("../native/binding.cjs") as typeof Binding;
  } catch (cause) {
    throw new NativeMissingError(cause);
  }
}

/**
 * The program that stands between a CLI and a hook; `undefined` where its package is not installed.
 * The variable `VIGILES_HOOK_PROGRAM` names another one.
 */
export function hookProgram(): string | undefined {
  const given = process.env["VIGILES_HOOK_PROGRAM"];
  if (given !== undefined && given !== "") return given;
  const platform = platformName();
  const inCheckout = fileURLToPath(new URL(`../native/vigiles-hook.${platform}`, import.meta.url));
  if (existsSync(inCheckout)) return inCheckout;
  try {
    return createRequire(import.meta.url).resolve(`@vigiles/native-${platform}/vigiles-hook`);
  } catch {
    return undefined;
  }
}

/** As in the names of the platform packages: `linux-x64-gnu`. */
function platformName(): string {
  const base = `${process.platform}-${process.arch}`;
  if (process.platform === "win32") return `${base}-msvc`;
  if (process.platform !== "linux") return base;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return `${base}-${report.header?.glibcVersionRuntime === undefined ? "musl" : "gnu"}`;
}

/** The version of the native part, as in `0.1.0`. */
export function coreVersion(): string {
  return native().coreVersion();
}
