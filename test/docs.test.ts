import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

import ts from "typescript";
import { checkFromJSON, DISASTER_CATALOG, parseTrace, type Trace } from "vigiles";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { cliProgram } from "../scripts/lib/clis.mjs";
import { ROOT } from "../scripts/lib/entries.mjs";
import { run } from "../scripts/lib/run.mjs";
import { installBuiltPackage, linkPackages } from "./support/built-package.ts";
import { userEnvironment } from "./support/environment.ts";
import { answersOf, effectsOf } from "./support/hook-answers.ts";
import { anchors, type Block, blocks, codeSpans, links, page, rows } from "./support/markdown.ts";
import { NODE_VERSIONS, nodeBinary } from "./support/node-versions.ts";

const REFERENCE = below("docs/reference", ".md");
const PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md", "test/README.md", ...below("examples", ".md"), ...below("docs", ".md")];
const EXAMPLES = below("examples", ".mjs", ".js", ".ts");

/** A JavaScript or TypeScript block of a page, and the file it becomes. */
interface Snippet extends Block {
  readonly name: string;
  readonly file: string;
}

const SNIPPETS: readonly Snippet[] = PAGES.flatMap((path) =>
  blocks(page(path))
    .filter(({ language }) => ["js", "ts", "javascript", "typescript", "mjs"].includes(language))
    .map((block) => ({ ...block, name: `${path}:${block.line}`, file: `${path.replaceAll(/\W/g, "-")}-${block.line}.${extensionOf(block)}` })),
);

/** Commands with what they print, as a terminal shows them. */
const SESSIONS = PAGES.flatMap((path) =>
  blocks(page(path))
    .filter(({ language }) => language === "console")
    .map(({ code, line }) => ({ name: `${path}:${line}`, command: code.slice(2, code.indexOf("\n")), printed: code.slice(code.indexOf("\n") + 1) })),
);

/** The real CLIs that were fetched, as a user names them. */
const CLIS_HERE: Record<string, string> = Object.fromEntries(
  [
    ["VIGILES_CLAUDE", cliProgram("claude", "2.1.332")],
    ["VIGILES_CODEX", cliProgram("codex", "0.171.0")],
  ].filter((pair): pair is [string, string] => pair[1] !== undefined),
);

// A copy of the examples with the built package in it, as a user's project would have it: paths in the pages start there.
let project = "";

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "vigiles-docs-"));
  cpSync(join(ROOT, "examples"), project, { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  installBuiltPackage(project);
  linkPackages(project, ["vitest", "@types/node", "commander", "chokidar"]);
  for (const { file, code } of SNIPPETS) writeFileSync(join(project, file), code);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("code in the pages", () => {
  test.each(SNIPPETS)("$name says whether it is run or only checked", ({ mark }) => {
    expect(mark).toMatch(/^(?:run|check)$/);
  });

  test.each(SNIPPETS.filter(({ mark }) => mark === "run"))("$name runs", async ({ file, code }) => {
    // Node 20 does not strip types.
    const script = `${file}.run.mjs`;
    const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
    writeFileSync(join(project, script), outputText);
    await succeed([process.execPath, script]);
  });

  test.each(SESSIONS)("$name prints what it says", async ({ command, printed }) => {
    const [npx, vigiles, ...args] = command.split(" ");
    expect([npx, vigiles]).toEqual(["npx", "vigiles"]);
    const { stdout } = await run([process.execPath, "node_modules/vigiles/bin/vigiles.mjs", ...args], { cwd: project, env: userEnvironment({ NO_COLOR: "1" }), show: false });
    expect(stdout).toBe(printed);
  });

  test("it has the types it should have, and so have the examples", () => {
    const files = [...SNIPPETS.map(({ file }) => file), ...EXAMPLES.map((path) => path.replace("examples/", ""))];
    const program = ts.createProgram(
      files.map((file) => join(project, file)),
      {
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        target: ts.ScriptTarget.ES2023,
        allowJs: true,
        checkJs: true,
        noEmit: true,
        strict: true,
        // Parameters have no types in JavaScript.
        noImplicitAny: false,
        skipLibCheck: true,
        types: ["node"],
      },
    );
    const problems = ts.getPreEmitDiagnostics(program).map((problem) => {
      const at = problem.file?.getLineAndCharacterOfPosition(problem.start ?? 0).line ?? 0;
      return `${problem.file?.fileName}:${at + 1} ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`;
    });
    expect(problems).toEqual([]);
    expect(files.length).toBeGreaterThan(25);
  });
});

describe("examples", () => {
  test("`vigiles test examples` passes, and each script but one checks something", async () => {
    const report = await succeed([process.execPath, "bin/vigiles.mjs", "test", "examples", "--reporter=json"], ROOT, CLIS_HERE);
    const { scripts } = JSON.parse(report) as { scripts: { file: string; status: string; checks: number }[] };
    expect(scripts.map(({ file }) => file)).toEqual(EXAMPLES.filter((path) => path.includes(".harness.")));
    expect(scripts.filter(({ checks }) => checks === 0).map(({ file, status }) => `${file}: ${status}`)).toEqual(
      // Without a CLI there is nothing to run it on; it says so.
      (Object.keys(CLIS_HERE).length === 0 ? ["mcp-server", "plugin-cohesion", "policy-gate", "skill-wiring", "skip", "subagent-contract"] : ["skip"]).map((name) => `examples/${name}.harness.mjs: skip`),
    );
  });

  test("the one in TypeScript runs where Node strips types", async () => {
    await succeed([nodeBinary(NODE_VERSIONS[1]), "edit-guard.harness.ts"]);
  }, 120_000);

  test("those of vitest", async () => {
    const report = await succeed([process.execPath, "node_modules/vitest/vitest.mjs", "run", "--root=vitest", "--reporter=json"]);
    expect(JSON.parse(report)).toMatchObject({ success: true, numPassedTests: 6, numTotalTests: 6 });
  });

  test("those of node:test", async () => {
    const report = await succeed([process.execPath, "--test", "--test-reporter=tap", "node-test/guard.test.mjs"]);
    expect(report).toMatch(/^# pass 3$/m);
    expect(report).toMatch(/^# fail 0$/m);
  });

  test("the Rust program judges a session", async () => {
    const program = ["cargo", "run", "--quiet", "--package=vigiles", "--all-features", "--example=judge_session", "--"];
    const session = join(ROOT, "examples/fixtures/blocked-call.jsonl");
    const judge = async (checks: string) => await run([...program, session, checks], { cwd: ROOT, env: userEnvironment(), show: false });

    const holds = await judge(join(ROOT, "examples/fixtures/checks.json"));
    expect(holds, holds.stderr).toMatchObject({ code: 0 });
    expect(holds.stdout).toContain("pass  hookBlocked(PreToolUse:Bash)");

    writeFileSync(join(project, "fails.json"), '[{ "kind": "tool", "name": "Write" }]');
    const fails = await judge(join(project, "fails.json"));
    expect(fails, fails.stderr).toMatchObject({ code: 1 });
    expect(fails.stdout).toContain('expected the agent to use tool "Write", but it used [Bash]');
  }, 300_000);
});

describe("the reference matches the code", () => {
  test("every export of the root entry is in it", () => {
    const named = new Set(REFERENCE.flatMap((path) => codeSpans(page(path))).flatMap((span) => span.match(/[A-Za-z_]\w*/g) ?? []));
    const exported = exportsOf("index.d.ts");
    expect(exported.length).toBeGreaterThan(100);
    expect(exported.filter((name) => !named.has(name))).toEqual([]);
  });

  test("every error code is in it, and no other", () => {
    const sources = [...below("src", ".ts"), ...below("crates/vigiles/src", ".rs"), ...below("crates/vigiles-node/src", ".rs"), ...below("crates/vigiles-hook/src", ".rs")];
    const inCode = sources.flatMap((path) => page(path).split("#[cfg(test)]\nmod tests {")[0]?.match(/(?<=")VIGILES_[A-Z_]*[A-Z](?=")/g) ?? []);
    const documented = codeSpans(page("docs/reference/errors.md")).filter((span) => /^VIGILES_\w+$/.test(span));
    expect(new Set(documented).size, "a code is explained once").toBe(documented.length);
    // Read by the scripts of a checkout, not by the package.
    expect(documented.toSorted()).toEqual([...new Set([...inCode, "VIGILES_NATIVE_PROFILE", "VIGILES_CODEX"])].toSorted());
  });

  test("every kind of check is in it, with keys that it has", () => {
    const kinds = [...page("crates/vigiles/src/check/json.rs").matchAll(/^ {4}\("(\w+)", &\[(.*)\]\),$/gm)].map(([, kind]) => kind);
    const forms = rows(page("docs/reference/checks.md"), "The vocabulary").map((cells) => codeSpans(cells[3] ?? "")[0] ?? "");
    expect(forms.map((form) => checkFromJSON(form).kind)).toEqual(kinds);
  });

  test("every verb of the command is in it, with its options", async () => {
    const cli = page("docs/reference/cli.md");
    const help = async (...verb: string[]) => await succeed([process.execPath, "bin/vigiles.mjs", ...verb, "--help"], ROOT);
    const verbs = [...(await help()).matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, verb = ""]) => verb);
    expect(verbs.length).toBeGreaterThan(3);
    for (const verb of verbs) {
      const heading = new RegExp(`^## (.vigiles ${verb} ?.*)$`, "m").exec(cli)?.[1] ?? "";
      const options = [...(await help(verb)).matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option]) => option);
      const documented = rows(cli, heading).flatMap(([cell = ""]) => codeSpans(cell).filter((span) => span.startsWith("--")).map((span) => span.split(" ")[0]));
      expect(documented, verb).toEqual(options);
    }
  });

  test("every disaster is in it", () => {
    const documented = rows(page("docs/reference/assertions.md"), "The disaster battery").flatMap(([ids = "", category = ""]) =>
      codeSpans(category).length === 1 ? codeSpans(ids).map((id) => `${id}: ${codeSpans(category)[0]}`) : [],
    );
    expect(documented.toSorted()).toEqual(DISASTER_CATALOG.map(({ id, category }) => `${id}: ${category}`).toSorted());
  });

  test("every dependency has its reason", () => {
    const named = new Set(rows(page("docs/dependencies.md"), "Dependencies").flatMap((cells) => codeSpans(cells[0] ?? "")));
    const { dependencies, devDependencies } = JSON.parse(page("package.json")) as Record<"dependencies" | "devDependencies", Record<string, string>>;
    const crates = ["vigiles", "vigiles-hook", "vigiles-node"].flatMap((name) =>
      [...page(`crates/${name}/Cargo.toml`).matchAll(/^\[(?:\w+-)?dependencies\]\n((?:[^[\n].*\n|\n)*)/gm)].flatMap(([, lines = ""]) => lines.match(/^[\w-]+/gm) ?? []),
    );
    const all = [...Object.keys({ ...dependencies, ...devDependencies }), ...crates.filter((name) => name !== "vigiles")];
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((name) => !named.has(name))).toEqual([]);
  });

  const decisions = decisionRows();
  test.each(decisions)("$event, $answer", ({ event, answer, claude, codex }) => {
    for (const [cli, told] of [["claude-code", claude], ["codex", codex]] as const) {
      const expected = told === "not measured" ? undefined : told.split(":")[0];
      expect(effectsOf(cli, event, answersOf(answer)), cli).toEqual([expected]);
    }
  });

  test.each([
    ["claude-stream-json", "claude/2.1.332/g_all_hooks.jsonl", 1],
    ["claude-json", "claude/2.1.332/v5_json_output.jsonl", 2],
    ["claude-session", "claude/sessions/2.1.332/c_bash.jsonl", 3],
    ["codex-exec-json", "codex/0.171.0/shell_ok.jsonl", 4],
  ])("what %s records", (kind, golden, column) => {
    const trace = parseTrace(join(ROOT, "test/fixtures/golden", golden));
    expect(trace.kind).toBe(kind);
    const wrong = rows(page("docs/reference/trace.md"), "Fields, and who records them").filter((cells) => {
      const field = codeSpans(cells[0] ?? "")[0] as keyof Trace;
      const isRecorded = trace[field] !== undefined;
      const cell = cells[column] ?? "";
      return cell.startsWith("yes") ? !isRecorded : cell === "no" && isRecorded;
    });
    expect(wrong).toEqual([]);
  });
});

test.each(PAGES)("the links of %s lead somewhere", (path) => {
  const broken = links(path).filter(({ file, anchor }) => {
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchors(page(file)).includes(anchor);
  });
  expect(broken).toEqual([]);
});

function decisionRows(): { event: string; answer: string; claude: string; codex: string }[] {
  let events = "";
  return rows(page("docs/reference/hook-decisions.md"), "The table").flatMap(([first = "", answer = "", claude = "", codex = ""]) => {
    // An empty cell goes on with the event above.
    if (first !== "") events = first;
    return codeSpans(events).map((event) => ({ event, answer, claude, codex }));
  });
}

function extensionOf({ language, code }: Block): string {
  if (language === "ts" || language === "typescript") return "mts";
  return code.includes("module.exports") ? "cjs" : "mjs";
}

/** Files below a folder of the repository, by their endings. */
function below(folder: string, ...extensions: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => extensions.includes(extname(path)) && !path.includes("node_modules"))
    .toSorted();
}

function exportsOf(path: string): string[] {
  const program = ts.createProgram([join(ROOT, path)], { skipLibCheck: true, noEmit: true });
  const source = program.getSourceFile(join(ROOT, path));
  const module = source && program.getTypeChecker().getSymbolAtLocation(source);
  return module === undefined ? [] : program.getTypeChecker().getExportsOfModule(module).map(({ name }) => name);
}

/** Runs a command, in the project unless told otherwise; its standard output. */
async function succeed(argv: string[], cwd = project, env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await run(argv, { cwd, env: userEnvironment(env), show: false });
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}
