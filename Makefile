# For OpenBench: `make EXE=name` builds one script that needs only Node, because OpenBench moves the script and deletes everything else.
# EVALFILE=weights.json embeds these weights. TUNE=1 offers the search parameters as UCI options, for SPSA. CC and CXX have no effect. To build
# Heft for any other purpose, use npm.

EXE ?= heft

.PHONY: all
all:
	node scripts/bootstrap.mjs
	node scripts/standalone.mjs "$(EXE)" "$(EVALFILE)" "$(TUNE)"
