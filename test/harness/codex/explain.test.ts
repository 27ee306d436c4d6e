/** Which hooks Codex would run, against what the real Codex then ran. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, it } from "vitest";
import { explainHooks } from "vigiles";
import { startCodexMock } from "vigiles/codex";

import { onCodex } from "../clis.ts";

const COMMAND = "touch fired.txt";
const FORMS = {
  "hooks.json": JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: COMMAND }] }] } }),
  "config.toml": `[[hooks.PreToolUse]]\nmatcher = "Bash"\n\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "${COMMAND}"\n`,
};

const TRUST = ["trusted", "changed", "untrusted"] as const;
const CASES = (["user", "project"] as const).flatMap((layer) =>
  (Object.keys(FORMS) as (keyof typeof FORMS)[]).flatMap((form) =>
    TRUST.flatMap((trust) => (layer === "user" ? [true] : [true, false]).map((projectTrusted) => ({ layer, form, trust, projectTrusted }))),
  ),
);

onCodex("explainHooks", ({ program }) => {
  it.concurrent.for(CASES)("a hook of the $layer in $form, $trust, in a project that is trusted: $projectTrusted", async ({ layer, form, trust, projectTrusted }, { onTestFinished }) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "vigiles-explain-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [configDir, project] = [join(root, "home/.codex"), join(root, "work")];
    const write = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    const file = join(layer === "user" ? configDir : join(project, ".codex"), form);
    const model = await startCodexMock([{ tool: "Bash", input: { command: "true" } }, { text: "done" }]);
    onTestFinished(async () => await model.close());
    const config = (state: string) => `model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
${projectTrusted ? `\n[projects."${project}"]\ntrust_level = "trusted"\n` : ""}
${layer === "user" && form === "config.toml" ? FORMS[form] : ""}
${state}`;
    mkdirSync(join(root, "tmp"));
    mkdirSync(project);
    write(join(configDir, "config.toml"), config(""));
    if (layer === "project" || form === "hooks.json") write(file, FORMS[form]);
    const ask = () => explainHooks(project, "PreToolUse", { cli: "codex", tool: "Bash", configDir, projectTrusted });

    // What would have to stand in the configuration is what `explainHooks` itself says.
    const [untrusted] = ask();
    if (untrusted?.trust?.state !== "untrusted") throw new Error(`expected a hook that is not trusted, but got ${JSON.stringify(untrusted)}`);
    const { key, hash } = untrusted.trust;
    const state = { trusted: hash, changed: `sha256:${"0".repeat(64)}`, untrusted: undefined }[trust];
    if (state !== undefined) write(join(configDir, "config.toml"), config(`[hooks.state."${key}"]\ntrusted_hash = "${state}"\n`));
    const [said] = ask();
    expect(said).toMatchObject({ layer, hook: { file, command: COMMAND }, trust: { state: trust } });

    const cli = spawn(program, ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--disable", "plugins", "--disable", "apps", "go"], {
      cwd: project,
      env: { PATH: process.env["PATH"] ?? "", HOME: join(root, "home"), CODEX_HOME: configDir, TMPDIR: join(root, "tmp"), OPENAI_API_KEY: "sk-opens-nothing" },
      stdio: "ignore",
    });
    await once(cli, "close");
    expect(model.count).toBe(2);
    expect(said?.wouldRun, said?.reason).toBe(existsSync(join(project, "fired.txt")) ? "yes" : "no");
  });
});
