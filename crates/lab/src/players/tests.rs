//! Every kind of player plays whole games; wrong texts say what is known.

use super::*;

#[test]
fn every_player_finishes_its_games() {
    let mut texts: Vec<String> = Evaluation::NAMES.into_iter().map(str::to_owned).collect();
    texts.extend(
        [
            "random",
            "greedy",
            "divergence",
            "squares+divergence",
            "squares+mobility+divergence",
            "e/2",
            "squares/300n/alpha-beta+table+order",
            "discs/0.001s/pvs",
            "squares+abstract",
            "abstract-rule/2",
            "mcts/20n",
            "mcts:policy=best-square:c=1.4:epsilon=0.3:decay=0.99:expand=1:threads=2:reuse=no:update=written/20n",
            "mcts:policy=truncated:reward=margin/0.001s",
        ]
        .map(str::to_owned),
    );
    texts.extend(method_names().iter().map(|name| format!("phase/2/{name}")));
    for text in &texts {
        let mut tested = player(text, 1).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut other = player("random", 2).unwrap();
        tested.new_game(3);
        let mut position = Position::start();
        let mut ply = 0;
        while !position.is_game_over() {
            let chosen = if ply % 2 == 0 {
                tested.choose(&position)
            } else {
                other.choose(&position)
            };
            position
                .play(chosen.unwrap())
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            ply += 1;
        }
        assert_eq!(tested.choose(&position), None, "{text}");
    }
}

#[test]
fn a_seed_decides_everything() {
    for text in ["random", "greedy", "squares", "e/2", "mcts/50n"] {
        let line = |seed| {
            let mut players = [player(text, 0).unwrap(), player(text, 0).unwrap()];
            for player in &mut players {
                player.new_game(seed);
            }
            let mut position = Position::start();
            (0..20)
                .map(|ply| {
                    let mv = players[ply % 2].choose(&position).unwrap();
                    position.play(mv).unwrap();
                    mv
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(line(5), line(5), "{text}");
        assert!((0..20).any(|seed| line(seed) != line(5)), "{text}");
    }
}

#[test]
fn wrong_texts_say_what_is_known() {
    for (text, part) in [
        ("nobody", "no player \"nobody\": expected random"),
        ("", "no player \"\""),
        ("random/3", "takes no limit"),
        ("phase/0", "\"0\" is no limit"),
        ("phase/-1s", "is no limit"),
        ("phase/nans", "is no limit"),
        ("phase/99999999999999999999n", "is no limit"),
        ("phase/4/magic", "no method \"magic\": expected one of minimax"),
        ("phase/4/minimax/x", "three parts"),
        ("abstract-rule", "needs a depth"),
        ("abstract-rule/5s", "needs a depth"),
        ("abstract-rule/2/pvs", "takes no method"),
        ("mcts", "needs simulations"),
        ("mcts:policy=x/5n", "options of mcts are policy (uniform"),
        ("mcts:threads=0/5n", "\"threads=0\""),
        ("mcts:c/5n", "\"c\""),
    ] {
        let error = player(text, 0).err().unwrap().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}
