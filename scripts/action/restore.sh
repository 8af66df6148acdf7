#!/usr/bin/env bash
# Fetches what an earlier run of this test left: its games, from which it goes on, and the engines that it built. Without one it does nothing.
set -euo pipefail

artifact() {
  gh api "repos/$GITHUB_REPOSITORY/actions/artifacts?name=$HEFT_ARTIFACT&per_page=10" \
    --jq '[.artifacts[] | select(.expired | not)] | sort_by(.created_at) | last | .id // empty'
}

[[ -e "$HEFT_RUN/games.jsonl" ]] && exit 0
id=$(artifact) || { echo "::warning::earlier runs cannot be asked for: the test begins anew"; exit 0; }
if [[ -z "$id" ]]; then
  echo "no earlier run of this test"
  exit 0
fi
archive=$(mktemp)
trap 'rm -f "$archive"' EXIT
if gh api "repos/$GITHUB_REPOSITORY/actions/artifacts/$id/zip" >"$archive" && unzip -q -n "$archive" -d runs; then
  # Archives forget which files are programs
  find runs/builds -type f -exec chmod +x {} + 2>/dev/null || true
  echo "goes on from an earlier run: $(($(wc -l <"$HEFT_RUN/games.jsonl") - 1)) games"
else
  echo "::warning::the earlier run cannot be read: the test begins anew"
  rm -rf "$HEFT_RUN"
fi
