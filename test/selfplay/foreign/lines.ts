// Command lines from public scripts and READMEs, with their repository if known: original options, with engines and books replaced.
// Each has the number of games per pairing, or the reason for which it is rejected.

export interface Line {
  from: string;
  line: string;
  games?: number;
  /** Words that the translation must contain. */
  has?: string[];
  refused?: RegExp;
}

export const LINES: readonly Line[] = [
  {
    from: 'Altanis/sacre_dieu sprt/debug.sh',
    line: 'cutechess-cli -engine name=A cmd=A -engine name=B cmd=B -games 2 -rounds 50000 -pgnout out.pgn -each proto=uci tc=8+0.08 stderr=err.txt -openings order=random file=book.epd format=epd -concurrency 6 -ratinginterval 10',
    games: 100_000,
    has: ['--openings book.epd --order random', '--pgn out.pgn --pgn-append', '--workers 6', '--ratinginterval 10'],
  },
  {
    from: 'Altanis/sacre_dieu sprt/sprt.sh',
    line: '-engine name=A cmd=A -engine name=B cmd=B -games 2 -rounds 50000 -pgnout out.pgn -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05 -each proto=uci tc=8+0.08 stderr=err.txt -openings order=random file=book.epd format=epd -concurrency 6 -ratinginterval 10',
    games: 100_000,
    has: ['--sprt --elo0 0 --elo1 10 --alpha 0.05 --beta 0.05 --model logistic'],
  },
  {
    from: 'mathmoi/oxide9 scripts/cute.sh',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each proto=uci tc=1+0.8 -games 100 -openings file=book.epd format=epd order=random -repeat 1 -pgnout out.pgn -concurrency 15',
    games: 100,
  },
  {
    from: 'mathmoi/oxide9, earlier',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each proto=uci tc=1+0.8 -games 2 -rounds 10000 -repeat 2 -maxmoves 250 -openings file=book.epd format=epd order=sequential -pgnout out.pgn -concurrency 15 -ratinginterval 10 -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05',
    games: 20_000,
    has: ['--max-moves 250', '--order sequential'],
  },
  {
    from: 'a script for Windows, engines from a list',
    line: 'cutechess-cli -engine conf=dev name=A -engine conf=base name=B -each tc=10+0.1 restart=on timemargin=10 -games 2500 -repeat 2 -resultformat wide -recover -wait 20 -maxmoves 200 -ratinginterval 10 -variant standard -concurrency 8 -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05 -event sprt-test -pgnout out.pgn -site UK -tournament round-robin -openings file=book.bin format=pgn -tb syzygy -tbpieces 5',
    refused: /^conf=dev: cutechess' engine list is not supported/,
  },
  {
    from: 'a script for Windows',
    line: 'cutechess-cli.exe -engine name=A proto=uci cmd=A stderr=A.txt -engine name=B proto=uci cmd=B stderr=B.txt -openings file=book.pgn format=pgn order=random -resign movecount=3 score=400 -draw movenumber=40 movecount=3 score=10 -concurrency 11 -ratinginterval 10 -games 50000 -repeat -each tc=8+0.08 -sprt elo0=-10 elo1=0 alpha=0.05 beta=0.05',
    games: 50_000,
    has: ['--resign movecount=3 score=400', '--draw movenumber=40 movecount=3 score=10', '--elo0 -10 --elo1 0'],
  },
  {
    from: 'a script for PowerShell',
    line: 'fastchess.exe -engine dir=. name=A -engine dir=. name=B -each cmd=A tc=1+0.01 -recover -concurrency 10 -openings file=book.epd -rounds 5000 -repeat -pgnout out.pgn -log file=log.txt engine=true level=trace engine=true',
    games: 10_000,
    has: ['cmd=A', '--log log.txt'],
  },
  {
    from: 'funnsam/chessbot2 non_regression.sh',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=8+0.08 -rounds 10 -repeat -concurrency 4 -recover -openings file=book.pgn format=pgn order=random -sprt elo0=-10 elo1=0 alpha=0.05 beta=0.05',
    games: 20,
  },
  {
    from: 'funnsam/chessbot2, with notes',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=8+0.08 -rounds 10 -repeat -concurrency 3 -recover -openings file=book.pgn format=pgn order=random -pgnout file=out.pgn seldepth=true -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05',
    games: 20,
    has: ['--pgn-notes seldepth'],
  },
  {
    from: 'dannyhammer/brogle scripts/run-fastchess.sh',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -openings file=book.epd format=epd order=random -each tc=8+0.08 -rounds 500 -repeat -concurrency 1 -log file=fastchess.log',
    games: 1000,
  },
  {
    from: 'Sp00ph/icarus sprt/stc_nonreg.sh',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=8+0.08 option.MoveOverhead=10 -rounds 50000 -concurrency 12 -openings order=random file=book.epd -sprt elo0=-5 elo1=0 alpha=0.05 beta=0.05 -draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=400',
    games: 100_000,
    has: ['option.MoveOverhead=10'],
  },
  {
    from: 'a makefile that asks for the rounds',
    line: 'cutechess-cli -engine name=A cmd=A proto=uci -engine name=B cmd=B proto=uci option.UCI_LimitStrength=true option.UCI_Elo=2500 option.Threads=1 -each tc=40/60 -rounds 7 -games 2 -repeat -pgnout out.pgn',
    games: 14,
    has: ['tc=40/60', 'option.UCI_Elo=2500', '--plies 0'],
  },
  {
    from: 'rivalchess, two books',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each proto=uci book=book.bin timemargin=1500 st=0.25 -resign movecount=10 score=600 -rounds 2 -pgnout out.pgn -epdout out.epd -debug',
    refused: /^book=book.bin: books per engine are not supported/,
  },
  {
    from: 'rivalchess, without books',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each proto=uci timemargin=1500 st=0.25 nodes=100000000 -resign movecount=10 score=600 -rounds 2 -pgnout out.pgn -epdout out.epd -debug',
    games: 2,
    has: ['st=0.25 nodes=100000000'],
  },
  {
    from: 'hypotheses the wrong way round',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each tc=100+5 proto=uci restart=on -rounds 64 -concurrency 12 -sprt elo0=100 elo1=0 alpha=0.05 beta=0.05 -openings file=book.pgn plies=8 -debug',
    refused: /^--elo0 must be below --elo1, not 100 and 0$/,
  },
  {
    from: 'carp, fixed-depth data',
    line: 'cutechess-cli -engine cmd=A -engine cmd=A -each proto=uci option.Hash=32 depth=7 tc=inf -rounds 1 -concurrency 2 -openings file=book.pgn format=pgn order=random plies=6 -pgnout out.pgn',
    games: 2,
    has: ['depth=7 tc=inf', '--plies 6'],
  },
  {
    from: 'prawn README.md',
    line: './cutechess-cli -engine cmd=A proto=uci -engine cmd=B proto=uci -games 10 -each tc=40/60 -debug',
    games: 10,
  },
  {
    from: 'a README for PowerShell',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each proto=uci tc=10+0.1 -games 10',
    games: 10,
  },
  {
    from: 'BabaChess README.md',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each proto=uci tc=60+0.6 -games 2',
    games: 2,
  },
  {
    from: 'Viridithas, self-play',
    line: 'cutechess-cli -engine cmd=A name=dev -engine cmd=A name=dev2 -each timemargin=400 proto=uci tc=100/8+0.08 -rounds 300000 -concurrency 60 -openings file=book.pgn format=pgn -pgnout out.pgn fi',
    games: 300_000,
    has: ['timemargin=400 tc=100/8+0.08'],
  },
  {
    from: 'Maelstrom README.md',
    line: 'cutechess-cli -engine proto=uci cmd=A name=A -engine proto=uci cmd=B name=B -each tc=8+0.08 option.Hash=32 -games 2 -rounds 1000 -repeat -concurrency 8 -openings file=book.epd format=epd order=random -pgnout out.pgn -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 -ratinginterval 10',
    games: 2000,
  },
  {
    from: 'justok README.md, a stray word',
    line: './fastchess -engine cmd=A name=A -engine cmd=B name=B format=epd -each tc=10+0.1 -rounds 1 -games 1',
    refused: /^-engine or -each: 'format=epd' is not a key of fastchess or cutechess-cli$/,
  },
  {
    from: "fastchess' own end-to-end test",
    line: './fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=2+0.02s -rounds 5 -repeat -concurrency 2 -ratinginterval 2 -report penta=false -openings file=book.epd format=epd order=random -log file=log.txt level=info',
    games: 10,
    has: ['tc=2+0.02 '],
  },
  {
    from: 'a script that compares two programs',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -openings file=book.epd format=epd order=random -each tc=10+0.1 -rounds 100 -repeat -concurrency 8 -log file=fastchess_log engine=true',
    games: 200,
    has: ['--log fastchess_log'],
  },
  {
    from: 'Agent4k Makefile',
    line: 'fastchess -engine cmd=A name=A tc=10+0.1 -engine cmd=A name=B tc=10+0.1 -pgnout file=out.pgn -rounds 1 -log file=debug.log level=trace engine=true',
    games: 2,
  },
  {
    from: 'seaborg, depth',
    line: 'fastchess -engine cmd=A args=-u -engine cmd=A args=-u -each proto=uci depth=4 -rounds 20 -games 2 -concurrency 4',
    games: 40,
    has: ['args=-u'],
  },
  {
    from: 'nebchess, a gauntlet with anchors',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=10+0.1 option.Hash=16 option.Threads=1 -openings file=book.pgn format=pgn order=random -rounds 50 -repeat -recover -concurrency 2 -ratinginterval 10 -pgnout file=out.pgn',
    games: 100,
  },
  {
    from: 'Aleph, a ladder',
    line: 'cutechess-cli -engine name=Aleph cmd=A proto=uci -engine name=SF-1500 cmd=B proto=uci option.UCI_LimitStrength=true option.UCI_Elo=1500 -each tc=inf depth=4 -games 10 -repeat -recover',
    games: 10,
  },
  {
    from: 'a tournament of four',
    line: 'cutechess-cli -engine name=A cmd=A -engine name=S1 cmd=B proto=uci option.UCI_Elo=1700 -engine name=S2 cmd=B proto=uci option.UCI_Elo=1900 -engine name=S3 cmd=B proto=uci option.UCI_Elo=2100 -each tc=180+2.0 -concurrency 4 -rounds 3 -tournament round-robin -recover -repeat -pgnout out.pgn',
    games: 4,
    has: ['--tournament round-robin'],
  },
  {
    from: 'nets against each other',
    line: 'fastchess -engine cmd=A name=a option.EvalFile=a.nnue -engine cmd=A name=b option.EvalFile=b.nnue -engine cmd=B name=c option.EvalFile=c.nnue -each tc=5+0.05 option.Threads=1 option.Hash=32 -tournament roundrobin -rounds 50 -games 2 -repeat -openings file=book.pgn format=pgn order=random -concurrency 11 -recover -ratinginterval 300 -report penta=true -pgnout file=out.pgn',
    games: 100,
    has: ['--tournament round-robin', 'option.EvalFile=c.nnue'],
  },
  {
    from: 'a Haskell engine, Makefile',
    line: 'fastchess -log file=sprt.log level=trace -pgnout file=out.pgn -engine cmd=A name=A -engine cmd=B name=B -each tc=8+0.5 -rounds 15000 -repeat -concurrency 1 -randomseed -openings file=book.pgn format=pgn -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05',
    games: 30_000,
    has: ['--seed '],
  },
  {
    from: 'SeaJay, an option with a blank',
    line: 'fastchess -engine name=A cmd=A -engine name=B cmd=B "option.Skill Level=0" -each proto=uci tc=10+0.1 -rounds 2 -openings file=book.pgn format=pgn -pgnout out.pgn',
    games: 4,
    has: ['option.Skill Level=0'],
  },
  {
    from: 'broncos README.md',
    line: 'cutechess-cli -engine cmd=A name="Broncos V4" -engine cmd=B name=B "option.Skill Level=1" -each proto=uci tc=10+0.08 -openings file=book.epd format=epd order=random -rounds 480 -games 2 -concurrency 4 -pgnout out.pgn',
    games: 960,
    has: ['name=Broncos V4'],
  },
  {
    from: 'ChessCoach, one game',
    line: 'cutechess-cli -engine name=A cmd=A option.syzygy_path=x -engine name=B cmd=B option.Threads=4 option.Hash=4096 -each proto=uci tc=60+0.6 timemargin=5000 -games 1 -pgnout out.pgn -openings file=book.pgn -recover',
    games: 2,
  },
  {
    from: 'SCE Makefile, a clock of its own',
    line: 'cutechess-cli -engine name=A cmd=A option.Threads=1 depth=6 tc=inf -engine name=B cmd=B option.UCI_Elo=2000 depth=18 tc=60+0.6 -each proto=uci -games 20 -repeat -concurrency 2',
    games: 20,
  },
  {
    from: 'a script with a log of the SPRT',
    line: 'cutechess-cli -engine name=A proto=uci cmd=A option.Threads=1 option.Hash=16 -engine name=B proto=uci cmd=B option.Threads=1 option.Hash=16 -each tc=5+0.05 -openings file=book.epd order=sequential start=1 -rounds 100 -pgnout out.pgn',
    games: 100,
    has: ['--start 1'],
  },
  {
    from: 'clawfish, notation',
    line: 'fastchess -engine cmd=A name=head -engine cmd=B name=base option.UCI_LimitStrength=true option.UCI_Elo=1320 -each proto=uci tc=8+0.08 -concurrency 4 -repeat -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -pgnout file=out.pgn notation=san -log file=log.txt level=info engine=true -report penta=true -rounds 200',
    games: 400,
  },
  {
    from: 'an output that fastchess does not have',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=10+0.1 -rounds 25 -repeat -concurrency 1 -draw movenumber=40 movecount=8 score=8 -resign movecount=3 score=600 -output pgn=report.pgn -log file=fastchess.log',
    games: 50,
  },
  {
    from: 'an event with blanks',
    line: 'fastchess -engine cmd=A name=A -engine cmd=B name=B -each tc=10+0.1 -games 2 -rounds 20 -repeat -concurrency 1 -openings file=book.pgn format=pgn order=random plies=8 -pgnout file=out.pgn -log file=x.log level=info -recover -event "Stage 14 vs Stash v10" -site "External Validation"',
    games: 40,
    has: ['--event Stage 14 vs Stash v10'],
  },
  {
    from: "Stockfish's fishtest, a match line",
    line: 'fastchess -recover -repeat -games 2 -rounds 8 -tournament gauntlet -ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 -report penta=true -crc32 pgn=true -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -check-mate-pvs -srand 12345 -concurrency 1 -openings file=book.epd format=epd order=random plies=16 start=3 -engine name=New cmd=A option.Hash=16 -engine name=Base cmd=B option.Hash=16 -each proto=uci option.Threads=1 tc=10+0.1',
    games: 16,
    has: ['--seed 12345', '--start 3'],
  },
  {
    from: 'a short form',
    line: 'fastchess -quick cmd=A cmd=B book=book.epd',
    games: 50_000,
    has: ['tc=10+0.1', '--draw movenumber=30 movecount=8 score=8'],
  },
  {
    from: 'a resumed run',
    line: 'fastchess -config file=config.json -engine cmd=A -engine cmd=B',
    refused: /^-config file=: use --continue FOLDER to continue a run$/,
  },
  {
    from: 'another variant',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -each tc=5+0.05 -variant atomic -games 10',
    refused: /^-variant atomic: only standard chess and Chess960 are supported$/,
  },
  {
    from: 'Chess960',
    line: 'fastchess -engine cmd=A -engine cmd=B -each tc=5+0.05 -variant fischerandom -rounds 10 -openings file=960.epd',
    games: 20,
    has: ['--chess960'],
  },
  {
    from: 'xboard',
    line: 'cutechess-cli -engine cmd=A proto=xboard -engine cmd=B proto=uci -each tc=5+0.05 -games 10',
    refused: /^proto=xboard: only UCI engines are supported/,
  },
  {
    from: 'knockout',
    line: 'cutechess-cli -engine cmd=A -engine cmd=B -engine cmd=A -each tc=5+0.05 -tournament knockout',
    refused: /^-tournament knockout: use round-robin, gauntlet or, with --tournament, swiss$/,
  },
];
