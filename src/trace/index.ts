export { parseTrace, parseTraceStream, type ParseTraceOptions } from "./parse.ts";
export type {
  HookEffect,
  HookFire,
  McpServerStatus,
  ModelRequest,
  ParseError,
  PermissionDenial,
  RunResult,
  SubagentTrace,
  ToolCall,
  ToolInput,
  Trace,
  TraceKind,
  TraceLike,
  Usage,
} from "./types.ts";
