import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { Exit, type ExitCode } from "../exit.ts";
import { scripts, showPath } from "../files.ts";
import { paintFor, print, say } from "../terminal.ts";
import { writeReport } from "../write-file.ts";
import { atEnd } from "./children.ts";
import { inOrder } from "./in-order.ts";
import { showProgress } from "./progress.ts";
import { REPORTERS, showScript, showSummary } from "./reporters.ts";
import { type Demands, type Run, sumUp } from "./result.ts";
import { runScript } from "./run-script.ts";

/** Options of `vigiles test`. */
export interface TestOptions extends Demands {
  readonly jobs?: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly reporter: keyof typeof REPORTERS;
  readonly output?: string;
  readonly watch?: boolean;
  /** The folder of this package. */
  readonly root: string;
}

/** `vigiles test`: runs test scripts. */
export async function test(paths: readonly string[], options: TestOptions): Promise<ExitCode> {
  const cwd = process.cwd();
  const once = async () => {
    const run = await runAll(scripts(paths, cwd), cwd, options);
    return run.passed ? Exit.ok : Exit.bad;
  };
  if (options.watch !== true) return once();
  const { watch } = await import("./watch.ts");
  return watch(cwd, once);
}

async function runAll(found: readonly string[], cwd: string, options: TestOptions): Promise<Run> {
  // What goes to standard output while scripts run: a report for programs must stay alone there.
  const isShown = options.output !== undefined || options.reporter === "default" || options.reporter === "github";
  const paint = paintFor(process.stdout);
  const scratch = mkdtempSync(join(tmpdir(), "vigiles-"));
  const clean = atEnd(() => rmSync(scratch, { recursive: true, force: true }));
  const settings = { cwd, scratch, timeout: options.timeout, preload: join(options.root, "dist/preload.cjs") };
  const progress = showProgress(found.length);
  const start = performance.now();
  try {
    const results = await inOrder(
      found,
      options.jobs ?? availableParallelism(),
      async (path, index) => {
        const result = await runScript(path, showPath(path, cwd), index, settings);
        progress.done();
        return result;
      },
      (result) => {
        progress.clear();
        if (isShown) print(showScript(result, paint));
      },
    );
    const run = sumUp(results, performance.now() - start, options);
    progress.clear();
    tell(run, options, isShown);
    return run;
  } finally {
    progress.clear();
    clean();
  }
}

function tell(run: Run, { reporter, output }: TestOptions, isShown: boolean): void {
  if (isShown) print(`\n${showSummary(run, paintFor(process.stdout))}`);
  else say(showSummary(run, paintFor(process.stderr)));
  if (output !== undefined) writeReport(output, REPORTERS[reporter](run));
  else if (reporter !== "default") {
    const report = REPORTERS[reporter](run);
    if (report !== "") print(report);
  }
}
