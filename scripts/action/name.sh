#!/usr/bin/env bash
# Names the test after its revisions and settings so that a later run of the same test finds its games.
set -euo pipefail

for revision in "$HEFT_HEAD" "$HEFT_BASE"; do
  if [[ -z "$revision" ]]; then
    echo "::error::head or base is missing; outside pull requests, set both in the workflow"
    exit 2
  fi
done
head=$(git rev-parse --verify --quiet --end-of-options "$HEFT_HEAD^{commit}") && base=$(git rev-parse --verify --quiet --end-of-options "$HEFT_BASE^{commit}") || {
  echo "::error::the checkout has no revision $HEFT_HEAD or $HEFT_BASE; set fetch-depth: 0 for actions/checkout"
  exit 2
}
# The hash excludes the revisions, which are already in the name, so all commits of a pull request share one comment
settings=$(printf '%s' "$HEFT_SETTINGS" | grep -vE '^ *"(token|head|base)":' | { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-8)
echo "artifact=sprt-${head:0:10}-${base:0:10}-$settings" >>"$GITHUB_OUTPUT"
