import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  assertEgressOnly,
  assertNoEgress,
  assertNoWrite,
  assertWroteOnly,
  egressHosts,
  preToolUse,
  runHook,
  runHookAsync,
  runHooks,
  type RunScriptOptions,
  runScript,
  runScriptAsync,
  type ScriptRunResult,
  verifyGuardrail,
} from "vigiles";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { confinementMissing, hasProgram, skipping } from "../support/confinement.ts";
import { refusal, thrown } from "../support/thrown.ts";

const isSkipped = skipping("confined runs", confinementMissing());

let dir = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "vigiles-confine-")));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const event = preToolUse("Bash", { command: "ls" });

const RUNNERS: readonly (readonly [string, (command: string, options?: RunScriptOptions) => Promise<ScriptRunResult>])[] = [
  ["runScript", async (command, options) => runScript(command, options)],
  ["runScriptAsync", async (command, options) => await runScriptAsync(command, options)],
  ["runHook", async (command, options) => runHook(command, event, options)],
  ["runHookAsync", async (command, options) => await runHookAsync(command, event, options)],
  ["runHooks", async (command, options) => (await runHooks(command, [event], options))[0] as ScriptRunResult],
];

/** How a run was routed: a confined one is uid 1000 in a process namespace of its own. */
const WAY = "[ $$ -lt 20 ] && [ $(id -u) = 1000 ] && echo confined || echo direct";

describe.skipIf(isSkipped).each(RUNNERS)("%s", (_, run) => {
  test.each<[way: string, RunScriptOptions]>([
    ["direct", {}],
    ["direct", { trusted: true }],
    ["direct", { sandbox: false }],
    ["direct", { sandbox: false, trusted: false }],
    ["direct", { sandbox: false, recordEgress: true }],
    ["confined", { trusted: false }],
    ["confined", { recordEgress: true }],
    ["confined", { sandbox: "auto" }],
    ["confined", { sandbox: "auto", trusted: true }],
    ["confined", { sandbox: "strict" }],
    ["confined", { sandbox: "strict", trusted: true }],
  ])("%s with %o", async (way, options) => {
    const result = await run(WAY, options);
    expect(result).toMatchObject({ stdout: `${way}\n`, exitCode: 0 });
    expect(result.filesWritten).toEqual(way === "confined" ? [] : undefined);
    expect(result.egress).toEqual(way === "confined" && options.recordEgress === true ? [] : undefined);
  });

  test("works on a copy of `cwd`, which gets what was changed", async () => {
    for (const name of ["same", "changed", "removed"]) writeFileSync(join(dir, name), "old\n");
    const result = await run("pwd; echo old > same; echo new > changed; rm removed; mkdir sub; echo x > sub/made; ln -s /etc/passwd out", { cwd: dir, sandbox: "strict" });
    expect(result).toMatchObject({ stdout: `${dir}\n`, filesWritten: ["changed", "out", "sub/made"], filesChanged: ["changed"], filesDeleted: ["removed"], filesWithheld: ["out"] });
    expect(readFileSync(join(dir, "changed"), "utf8")).toBe("new\n");
    expect([existsSync(join(dir, "removed")), existsSync(join(dir, "sub/made")), existsSync(join(dir, "out"))]).toEqual([false, true, false]);
  });

  test("sees no variable, file or key of the caller", async () => {
    const home = join(dir, "home");
    mkdirSync(home);
    writeFileSync(join(home, "key"), "secret");
    vi.stubEnv("HOME", home);
    vi.stubEnv("API_KEY", "secret");
    const attack = `cat ${home}/key; echo "$API_KEY"; cat /proc/$PPID/environ`;
    expect((await run(attack)).stdout).toContain("secret");
    const result = await run(`${attack}; env`, { sandbox: "strict", env: { GIVEN: "1" } });
    expect(result.stdout).not.toContain("secret");
    expect(result.stdout).toMatch(/^GIVEN=1$/m);
    expect(result.stdout).toMatch(/^HOME=\/tmp\/home$/m);
  });

  test("has the Node of the caller, and the project to read", async () => {
    const script = join(import.meta.dirname, "../fixtures");
    const result = await run(`node -p process.version; ls ${script} >/dev/null && echo read; touch ${script}/new || echo closed`, { sandbox: "strict" });
    expect(result.stdout).toBe(`${process.version}\nread\nclosed\n`);
  });

  test("ends what it started, also at its time limit", async () => {
    const result = await run("setsid sleep 98799.5 & sleep 60", { sandbox: "strict", timeoutMs: 400 });
    expect(result.timedOut).toBe(true);
    expect(runScript("pgrep -f 'sleep 98799[.]5' || echo none").stdout).toBe("none\n");
  });

  test("has the limits that it is given", async () => {
    const script = "head -c 3000000 /dev/zero > big || echo full";
    const options: RunScriptOptions = { sandbox: "strict", sandboxLimits: { workBytes: 1_000_000 } };
    expect((await run(script, options)).stdout).toBe("full\n");
    expect((await run(script, { sandbox: "strict" })).stdout).toBe("");
    writeFileSync(join(dir, "big"), "x".repeat(2_000_000));
    await expect(run("true", { ...options, cwd: dir })).rejects.toMatchObject({ code: "VIGILES_CONFINE_SIZE", message: expect.stringContaining("`workBytes`") });
  });
});

describe.skipIf(isSkipped)("a hook", () => {
  test("knows its project at the path that it has outside", () => {
    const result = runHook("echo $CLAUDE_PROJECT_DIR; cat; exit 2", event, { sandbox: "strict", cwd: dir });
    expect(result).toMatchObject({ stdout: `${dir}\n${JSON.stringify(event)}`, blocked: true });
  });

  test("that does not run has recorded nothing", () => {
    const result = runHook("true", event, { sandbox: "strict", condition: "Edit(*)" });
    expect([result.ran, result.filesWritten]).toEqual([false, undefined]);
  });

  test("sweeps of guards are confined, too", () => {
    const guard = `[ "$(${WAY})" = confined ] && exit 2; exit 0`;
    const sweep = (options: RunScriptOptions) => verifyGuardrail(guard, { ...options, categories: ["destructive-git"] }).every(({ blocked }) => blocked);
    expect([sweep({ sandbox: "strict" }), sweep({})]).toEqual([true, false]);
  });
});

describe.skipIf(isSkipped)("what a run wrote can be asserted", () => {
  test("and a direct run refuses", () => {
    const wrote = runScript("mkdir state; echo x > state/cache", { sandbox: "strict" });
    expect(assertWroteOnly(wrote, ["state/"])).toBeUndefined();
    expect(thrown(() => assertNoWrite(wrote, "cache")).message).toContain('"state/cache"');
    expect(refusal(() => assertNoWrite(runScript("true"), "cache"))).toContain("VIGILES_CHECKS_FAILED");
  });
});

describe.skipIf(isSkipped)("connections out", () => {
  const ask = (line: string) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/\${HTTPS_PROXY##*:}; printf "${line}\\r\\n\\r\\n" >&3; head -n1 <&3'`;
  const registry = ask("CONNECT registry.example:443 HTTP/1.1");

  test("through the proxy are recorded and blocked", async () => {
    for (const run of [runScript, runScriptAsync]) {
      const result = await run(`${registry}; ${registry}; ${ask("GET http://other.example/x HTTP/1.1")}`, { recordEgress: true });
      expect(result.stdout).toMatch(/^(HTTP\/1.1 403 Forbidden\r\n){3}$/);
      expect(result.egress?.map(({ host, port }) => `${host}:${port}`)).toEqual(["registry.example:443", "registry.example:443", "other.example:80"]);
      expect(egressHosts(result)).toEqual(["registry.example", "other.example"]);
    }
  });

  test("of Node's own fetch are recorded", () => {
    const program = "fetch('https://registry.example/x').catch(() => console.log('failed'))";
    const result = runScript(["node", "-e", program], { recordEgress: true });
    // Older versions of Node do not look at the variables; what they try is blocked all the same.
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const sees = major > 24 || (major === 24 && minor >= 5);
    expect(result.stdout).toBe("failed\n");
    expect(egressHosts(result)).toEqual(sees ? ["registry.example"] : []);
  });

  test("can be asserted", () => {
    const [none, some] = [runScript("true", { recordEgress: true }), runScript(registry, { recordEgress: true })];
    expect([assertNoEgress(none), assertEgressOnly(none, []), assertEgressOnly(some, ["registry.example"]), assertEgressOnly(some, [/[.]example$/])]).toEqual([undefined, undefined, undefined, undefined]);
    expect(thrown(() => assertNoEgress(some)).message).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the run to connect nowhere, but it tried ["registry.example:443"]"
    `);
    expect(thrown(() => assertEgressOnly(some, ["example", "other.example:443"])).message).toMatchInlineSnapshot(`
      "1 of 1 check failed:
        ✗ expected the run to connect only to ["example", "other.example:443"], but it tried ["registry.example:443"]"
    `);
  });

  test("that nobody recorded are not asserted", () => {
    for (const run of [runScript("true"), runScript("true", { sandbox: "strict" })]) {
      expect(refusal(() => assertNoEgress(run))).toContain("recordEgress");
      expect(refusal(() => assertEgressOnly(run, [/./]))).toContain("recordEgress");
      expect(refusal(() => egressHosts(run))).toContain("VIGILES_NOT_OBSERVED");
    }
  });

  const missing = ["slirp4netns", "nft"].filter((name) => !hasProgram(name));
  const noAllowList = skipping("allow-lists of connections", missing.length === 0 ? undefined : `${missing.join(", ")} is not installed`);
  describe.skipIf(noAllowList)("to allowed hosts", () => {
    let server: Server;
    let port = 0;
    beforeAll(async () => {
      server = createServer((socket) => socket.end("answer\n"));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as { port: number }).port;
    });
    afterAll(() => void server.close());

    test("go through, others do not", async () => {
      const script = `bash -c 'cat < /dev/tcp/10.0.2.2/${port}'; bash -c 'echo x > /dev/tcp/192.0.2.1/80' 2>/dev/null || echo refused`;
      const result = await runScriptAsync(script, { egress: { allow: [`10.0.2.2:${port}`] } });
      expect(result.stdout).toBe("answer\nrefused\n");
      expect(result.egress).toMatchObject([{ host: "10.0.2.2", port, allowed: true, packets: expect.any(Number), bytes: expect.any(Number) }]);
      expect(result.egressDropped?.packets).toBeGreaterThan(0);
      expect(thrown(() => assertEgressOnly(result, ["10.0.2.2"])).message).toContain("dropped");
    });

    test("that are no hosts are refused", () => {
      expect(refusal(() => runScript("true", { egress: { allow: ["https://example.com/x"] } }))).toContain("VIGILES_CONFINE_EGRESS_HOST");
    });
  });
});

describe("options that cannot be", () => {
  test.each<[string, object]>([
    ["sandbox", { sandbox: true }],
    ["sandbox", { sandbox: "on" }],
    ["sandbox", { sandbox: null }],
    ["trusted", { trusted: "no" }],
    ["recordEgress", { recordEgress: 1 }],
    ["egress.allow", { egress: { allow: "a" } }],
    ["egress.allow", { egress: { allow: [1] } }],
    ["egress", { egress: { deny: [] } }],
    ["sandboxLimits.processes", { sandboxLimits: { processes: 0 } }],
    ["sandboxLimits", { sandboxLimits: { memory: 1 } }],
  ])("%s: %o", (name, options) => {
    for (const run of [() => runScript("true", options), () => runHook("true", event, options)]) {
      const said = refusal(run);
      expect(said).toContain("VIGILES_INVALID_ARGUMENT");
      expect(said).toContain(name.split(".")[0]);
    }
  });
});
