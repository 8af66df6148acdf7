#!/usr/bin/env bash
# Names the test: the same revisions and settings have the same name, under which their games are found again.
set -euo pipefail

for revision in "$HEFT_HEAD" "$HEFT_BASE"; do
  if [[ -z "$revision" ]]; then
    echo "::error::head and base are missing: outside of pull requests the workflow names them"
    exit 2
  fi
done
head=$(git rev-parse --verify --quiet --end-of-options "$HEFT_HEAD^{commit}") && base=$(git rev-parse --verify --quiet --end-of-options "$HEFT_BASE^{commit}") || {
  echo "::error::the checkout has no revision $HEFT_HEAD or $HEFT_BASE: actions/checkout needs fetch-depth: 0"
  exit 2
}
settings=$(printf '%s' "$HEFT_SETTINGS" | grep -v '"token"' | sha256sum | cut -c1-8)
echo "artifact=sprt-${head:0:10}-${base:0:10}-$settings" >>"$GITHUB_OUTPUT"
