#!/bin/bash
# Publishing by hand skips the checks: only the script of the plugin may do it.
input=$(cat)
if [[ $input == *"npm publish"* ]]; then
  echo "Run scripts/release.sh instead of npm publish." >&2
  exit 2
fi
