#!/usr/bin/env bash
# Prints the version after VERSION: next-version.sh VERSION major|minor|patch
set -euo pipefail

if [[ $# -ne 2 || ! $1 =~ ^([0-9]+)\.([0-9]+)\.([0-9]+)$ ]]; then
  echo "usage: next-version.sh X.Y.Z major|minor|patch" >&2
  exit 64
fi
major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]} patch=${BASH_REMATCH[3]}

case $2 in
  major) echo "$((major + 1)).0.0" ;;
  minor) echo "$major.$((minor + 1)).0" ;;
  patch) echo "$major.$minor.$((patch + 1))" ;;
  *) echo "next-version.sh: expected major, minor or patch, got $2" >&2; exit 64 ;;
esac
