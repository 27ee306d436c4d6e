#!/usr/bin/env bash
# Refuses shell commands that lose work, skip checks, read keys or run code from the network.
#
# The patterns are looked for in the event as it arrives, JSON and all. That needs no JSON parser, and a command that only
# mentions a forbidden one is refused too: for a guard the safe mistake.
set -Eeuo pipefail

# A guard that breaks must refuse. Without this line bash would exit 1, and exit 1 blocks nothing.
trap 'echo "guard: the guard itself failed, so the call is refused" >&2; exit 2' ERR

event=$(cat)

refuse_if() { # PATTERN REASON
  if grep -Eq -- "$1" <<<"$event"; then
    echo "guard: $2" >&2
    exit 2
  fi
}

refuse_if 'git +push .*(--force|-f)( |"|$)' 'a force-push rewrites what others have; push to a new branch'
refuse_if 'git +reset +--hard' 'reset --hard loses work; commit or stash first'
refuse_if 'git +commit .*--no-verify' 'commit hooks are there to be run'
refuse_if 'rm +-[a-zA-Z]*[rf][a-zA-Z]* +(/|~)( |"|\*|$)' 'that deletes everything'
refuse_if '\.ssh/id_' 'private keys are not read'
refuse_if '(curl|wget) [^|]*\| *(ba)?sh' 'code from the network is not run unseen'
