import { assertAgentErr, assertAgentOk, assertAgentResult, AssertionError, type OutputContract, parseAgentResult } from "vigiles";
import { experimental_agent } from "vigiles/spec";
import { describe, expect, test } from "vitest";

import { refusal, thrown } from "../support/thrown.ts";

const { result, contractSection } = experimental_agent;

const contract = result(
  { files: "string[]", summary: "string", tries: "number", clean: "boolean", risk: ["low", "high"] },
  { reason: "string", step: "string" },
);
const value = { files: ["a.ts"], summary: "done", tries: 2, clean: true, risk: "low" } as const;
const error = { reason: "no tests", step: "test" };

const block = (info: string, body: unknown) => `\`\`\`${info}\n${typeof body === "string" ? body : JSON.stringify(body)}\n\`\`\`\n`;
const ok = (body: unknown = value) => `I looked.\n\n${block("vigiles:ok", body)}`;
const err = (body: unknown = error) => `I looked.\n\n${block("vigiles:err", body)}`;

describe("a block that fits", () => {
  test("is read", () => {
    expect(parseAgentResult(ok(), contract)).toStrictEqual({ kind: "ok", value });
    expect(parseAgentResult(err(), contract)).toStrictEqual({ kind: "err", error });
  });

  test.each<[string, string]>([
    ["text after it", `${ok()}\nThat is all.`],
    ["tildes", ok().replaceAll("```", "~~~")],
    ["a longer fence", ok().replaceAll("```", "`````")],
    ["three spaces before it", ok().replaceAll(/^(?=`|\{)/gm, "   ")],
    ["lines that end as on Windows", ok().replaceAll("\n", "\r\n")],
    ["JSON over several lines", ok(JSON.stringify(value, null, 2))],
    ["other blocks beside it", `${block("ts", "const a = 1;")}${ok()}${block("", "text")}`],
    ["a quoted block in a longer fence", `\`\`\`\`markdown\n${err()}\`\`\`\`\n${ok()}`],
  ])("with %s", (_, answer) => {
    expect(parseAgentResult(answer, contract)).toEqual({ kind: "ok", value });
  });

  test("may say more than it was asked", () => {
    expect(parseAgentResult(ok({ ...value, more: [1, { deep: null }] }), contract)).toMatchObject({ kind: "ok", value: { more: [1, { deep: null }] } });
  });

  test("may be any object without a contract", () => {
    expect(parseAgentResult(ok({ any: { thing: [1] } }))).toEqual({ kind: "ok", value: { any: { thing: [1] } } });
    expect(parseAgentResult(err({}))).toEqual({ kind: "err", error: {} });
    expect(parseAgentResult(ok({}), result({}, {}))).toEqual({ kind: "ok", value: {} });
  });
});

describe("a block that does not fit is malformed, and the reason says why", () => {
  const reason = (answer: string, by: OutputContract | undefined = contract) => {
    const read = parseAgentResult(answer, by);
    expect(read.kind).toBe("malformed");
    return read.kind === "malformed" ? read.reason : "";
  };

  test("none", () => {
    expect(reason("All done.")).toMatchInlineSnapshot(`"no vigiles:ok or vigiles:err block: the answer has no fenced block"`);
    expect(reason("")).toMatch(/^no vigiles/);
    expect(reason(block("json", value))).toMatchInlineSnapshot(`"no vigiles:ok or vigiles:err block: the fenced blocks are \`json\`"`);
    expect(reason(block("vigiles-ok", value))).toMatchInlineSnapshot(`"no vigiles:ok or vigiles:err block: there is one marked \`vigiles-ok\`, and what follows the fence must be exactly one of the two"`);
  });

  test("several", () => {
    expect(reason(ok() + err())).toMatchInlineSnapshot(`"expected exactly one vigiles block, but there are 2: vigiles:ok, vigiles:err"`);
    expect(reason(ok() + ok())).toMatch(/exactly one/);
    expect(reason(ok() + ok(), undefined)).toMatch(/exactly one/);
  });

  test("one that is not closed, as of an answer that was cut", () => {
    expect(reason(ok().trimEnd().slice(0, -3))).toMatchInlineSnapshot(`"the vigiles:ok block is never closed: the answer was cut, or its fence is missing"`);
  });

  test.each<[string, string]>([["no JSON", "{files: [}"], ["a list", "[1]"], ["text", '"done"'], ["null", "null"], ["nothing", ""], ["two objects", "{}{}"]])("%s", (_, body) => {
    expect(reason(ok(body))).toMatch(/^expected a JSON object in the vigiles:ok block, but /);
    expect(reason(ok(body), undefined)).toMatch(/^expected a JSON object/);
  });

  test.each<[string, object]>([
    ["a missing field", { ...value, files: undefined }],
    ["null for a field", { ...value, summary: null }],
    ["a text for a list", { ...value, files: "a.ts" }],
    ["a list with something else", { ...value, files: ["a.ts", 1] }],
    ["a number for a text", { ...value, summary: 1 }],
    ["a text for a number", { ...value, tries: "2" }],
    ["a text for a boolean", { ...value, clean: "true" }],
    ["a value outside of the enumeration", { ...value, risk: "medium" }],
    ["a value of the enumeration in other letters", { ...value, risk: "Low" }],
  ])("%s", (_, body) => {
    expect(reason(ok(body))).toMatchSnapshot();
    expect(parseAgentResult(ok(body)).kind).toBe("ok");
  });

  test("fields of the other track", () => {
    expect(reason(err(value))).toMatch(/reason/);
    expect(reason(ok(error))).toMatch(/files/);
  });
});

describe("assertAgentOk", () => {
  test("returns the value", () => expect(assertAgentOk(ok(), contract)).toStrictEqual(value));
  test("says what came instead", () => {
    expect(refusal(() => assertAgentOk(err(), contract))).toMatchInlineSnapshot(`"VIGILES_AGENT_RESULT: expected the subagent to return a success result (a vigiles:ok block), but it returned an error result: {"reason":"no tests","step":"test"}"`);
    expect(refusal(() => assertAgentOk("Done!", contract))).toMatchInlineSnapshot(`"VIGILES_AGENT_RESULT: expected the subagent to return a success result (a vigiles:ok block), but no vigiles:ok or vigiles:err block: the answer has no fenced block"`);
    expect(thrown(() => assertAgentOk(err()))).toBeInstanceOf(AssertionError);
  });
});

describe("assertAgentErr", () => {
  test("returns the error", () => expect(assertAgentErr(err(), contract)).toStrictEqual(error));
  test("says what came instead", () => {
    expect(refusal(() => assertAgentErr(ok(), contract))).toMatchInlineSnapshot(`"VIGILES_AGENT_RESULT: expected the subagent to return an error result (a vigiles:err block), but it returned a success result: {"clean":true,"files":["a.ts"],"risk":"low","summary":"done","tries":2}"`);
    expect(refusal(() => assertAgentErr("Done!"))).toMatch(/no vigiles/);
  });
});

describe("assertAgentResult", () => {
  test("holds when the predicate accepts", () => {
    expect(assertAgentResult(ok(), (res) => res.kind === "ok" && res.value.files.length > 0, contract)).toBeUndefined();
    expect(assertAgentResult("nothing", (res) => res.kind === "malformed", contract)).toBeUndefined();
  });
  test("says what the result is when it does not", () => {
    const never = () => false;
    expect(refusal(() => assertAgentResult(ok(), never, contract))).toMatchInlineSnapshot(`"VIGILES_AGENT_RESULT: expected the predicate to accept the subagent's result, but it does not. The result is ok: {"clean":true,"files":["a.ts"],"risk":"low","summary":"done","tries":2}"`);
    expect(refusal(() => assertAgentResult(err(), never, contract))).toMatchInlineSnapshot(`"VIGILES_AGENT_RESULT: expected the predicate to accept the subagent's result, but it does not. The result is err: {"reason":"no tests","step":"test"}"`);
    expect(refusal(() => assertAgentResult("nothing", never, contract))).toMatchInlineSnapshot(`"VIGILES_AGENT_RESULT: expected the predicate to accept the subagent's result, but it does not. The result is malformed: no vigiles:ok or vigiles:err block: the answer has no fenced block"`);
  });
});

test("an answer that was not recorded is malformed, never a pass", () => {
  for (const assertion of [() => assertAgentOk(undefined, contract), () => assertAgentErr(undefined), () => assertAgentResult(undefined, ({ kind }) => kind === "ok")]) {
    expect(refusal(assertion)).toMatch(/^VIGILES_AGENT_RESULT: .*no answer was recorded/);
  }
  expect(thrown(() => parseAgentResult(undefined as never))).toMatchObject({ code: "VIGILES_INVALID_ARGUMENT" });
});

describe("a contract", () => {
  test("is data", () => {
    expect(result({ a: "string" }, { b: ["x", "y"] })).toEqual({ _ref: "output", ok: { a: "string" }, err: { b: ["x", "y"] } });
  });

  test.each<[string, unknown]>([
    ["objects", "object[]"],
    ["an unknown type", "text"],
    ["a nested object", { a: "string" }],
    ["an empty enumeration", []],
    ["an enumeration of numbers", [1, 2]],
    ["null", null],
    ["undefined", undefined],
    ["a constructor", String],
  ])("of %s is refused where it is declared", (_, type) => {
    for (const declare of [() => result({ field: type } as never, {}), () => result({}, { field: type } as never)]) {
      expect(thrown(declare)).toMatchObject({ code: "VIGILES_CONTRACT_FIELD_TYPE", message: expect.stringContaining(".field") });
    }
    expect(thrown(() => parseAgentResult(ok({}), { _ref: "output", ok: { field: type }, err: {} } as never))).toMatchObject({ code: "VIGILES_CONTRACT_FIELD_TYPE" });
  });

  test("is told to the subagent", () => {
    expect(contractSection(contract)).toMatchInlineSnapshot(`
      "## Output contract

      End your turn with exactly one fenced block: \`vigiles:ok\` when the task is done, \`vigiles:err\` when it is not. Its body is one JSON object with these fields:

      \`\`\`vigiles:ok
      { "files": string[], "summary": string, "tries": number, "clean": boolean, "risk": "low" | "high" }
      \`\`\`

      \`\`\`vigiles:err
      { "reason": string, "step": string }
      \`\`\`
      "
    `);
    expect(contractSection(result({}, {}))).toContain("```vigiles:ok\n{}\n```");
  });
});
