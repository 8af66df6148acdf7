#!/usr/bin/env bash
# Fetches the games of an earlier run of this test, which this run continues, and the engines that it built. Does nothing if there is none.
set -euo pipefail

# Runs for forks upload to the same list. Their builds and games must not be used in a run for another repository
artifact() {
  gh api "repos/$GITHUB_REPOSITORY/actions/artifacts?name=$HEFT_ARTIFACT&per_page=100" \
    --jq "[.artifacts[] | select((.expired | not) and .workflow_run.head_repository_id == $HEFT_REPOSITORY_ID)] | sort_by(.created_at) | last | .id // empty"
}

[[ -e "$HEFT_RUN/games.jsonl" ]] && exit 0
id=$(artifact) || { echo "::warning::could not list earlier runs; the test starts from the beginning"; exit 0; }
if [[ -z "$id" ]]; then
  echo "no earlier run of this test"
  exit 0
fi
archive=$(mktemp)
trap 'rm -f "$archive"' EXIT
if gh api "repos/$GITHUB_REPOSITORY/actions/artifacts/$id/zip" >"$archive" && unzip -q -n "$archive" -d runs; then
  # Archives do not preserve executable permissions
  find runs/builds -type f -exec chmod +x {} + 2>/dev/null || true
  if [[ -e "$HEFT_RUN/games.jsonl" ]]; then
    echo "continuing an earlier run: $(($(wc -l <"$HEFT_RUN/games.jsonl") - 1)) games"
  else
    echo "the earlier run of this test has no games"
  fi
else
  echo "::warning::could not read the earlier run; the test starts from the beginning"
  rm -rf "$HEFT_RUN"
fi
