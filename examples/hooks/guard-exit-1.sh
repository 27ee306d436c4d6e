#!/usr/bin/env bash
# WRONG ON PURPOSE: it finds the force-push and says so, but with exit 1. The CLI shows the text and runs the tool.
if grep -q -- '--force'; then
  echo "no force-push" >&2
  exit 1
fi
