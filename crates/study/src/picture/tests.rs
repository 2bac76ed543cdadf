//! What a picture shows, counted in its shapes.

use super::*;

fn game(moves: &str) -> Game {
    moves.parse().expect("a game")
}

fn count(svg: &str, what: &str) -> usize {
    svg.matches(what).count()
}

#[test]
fn every_disc_and_every_legal_move_is_drawn_where_it_is() {
    for moves in ["", "f5", "f5d6c3d3c4f4f6f3e6e7"] {
        let game = game(moves);
        let picture = Picture::othello(&game);
        let svg = picture.to_svg();
        let position = game.position();
        assert_eq!(
            count(&svg, "fill=\"#141618\""),
            position.discs(Color::Black).count() as usize,
            "{moves}"
        );
        assert_eq!(
            count(&svg, "fill=\"#fbfaf6\""),
            position.discs(Color::White).count() as usize,
            "{moves}"
        );
        assert_eq!(count(&svg, "r=\"4\""), position.legal_moves().len(), "{moves}");
        assert_eq!(
            count(&svg, "r=\"4.5\""),
            usize::from(!moves.is_empty()),
            "{moves}"
        );
        assert!(svg.contains(&format!("<title>{position}</title>")), "{moves}");
    }
    // f5: the sixth column and the fifth row, 20 units of frame and 40 a square.
    let svg = Picture::othello(&game("f5")).to_svg();
    assert!(
        svg.contains("<circle cx=\"240.0\" cy=\"200.0\" r=\"16.8\" fill=\"#141618\""),
        "{svg}"
    );
    assert!(
        svg.contains("<circle cx=\"240.0\" cy=\"200.0\" r=\"4.5\" fill=\"white\"/>"),
        "{svg}"
    );
}

#[test]
fn a_turned_board_is_turned_with_its_letters() {
    let mut picture = Picture::othello(&game("f5"));
    picture.is_turned = true;
    let svg = picture.to_svg();
    assert!(
        svg.contains("<circle cx=\"120.0\" cy=\"160.0\" r=\"4.5\" fill=\"white\"/>"),
        "{svg}"
    );
    let first = svg.find(">h</text>").expect("h");
    assert!(first < svg.find(">a</text>").expect("a"));
    picture.has_coordinates = false;
    assert!(!picture.to_svg().contains("<text"));
}

#[test]
fn numbers_stand_on_the_discs_that_moves_put() {
    // Black passes at the end of this one.
    let game = game("f5f6f7g7h7h8c4e7d7g5h5h6f8d8c7h4");
    let mut picture = Picture::othello(&game);
    picture.number_moves(&game);
    let played = game.moves().iter().filter(|mv| mv.square().is_some()).count();
    assert_eq!(picture.numbers.len(), played);
    assert_eq!(picture.numbers[0], (Square::F5.index(), 1));
    let svg = picture.to_svg();
    assert_eq!(count(&svg, "r=\"4.5\""), 0, "the last move has its number");
    assert!(svg.contains("font-weight=\"bold\""), "and stands out");
}

#[test]
fn how_sure_a_value_is_shows_in_shapes() {
    let value = |frame| Value {
        cell: Square::D3.index(),
        text: "+4".to_owned(),
        detail: "12·73%".to_owned(),
        frame,
        is_best: false,
    };
    let shapes = |frame| {
        let mut picture = Picture::othello(&Game::new());
        let before = picture.to_svg();
        picture.values = vec![value(frame)];
        let svg = picture.to_svg();
        assert!(svg.contains(">+4</text>") && svg.contains(">12·73%</text>"));
        // Its dot is gone.
        assert_eq!(count(&svg, "r=\"4\"") + 1, count(&before, "r=\"4\""));
        ["<rect", "<polyline", "<polygon"].map(|shape| count(&svg, shape) - count(&before, shape))
    };
    assert_eq!(shapes(Frame::Proven), [1, 0, 0]);
    assert_eq!(shapes(Frame::Limit), [0, 1, 0]);
    assert_eq!(shapes(Frame::Book), [0, 0, 1]);
    assert_eq!(shapes(Frame::Estimate), [0, 0, 0]);
}

#[test]
fn marks_arrows_and_captions_are_drawn_and_texts_escaped() {
    let mut picture = Picture::othello(&Game::new());
    let before = picture.to_svg();
    picture.marks = vec![
        (0, Sign::Shape(Shape::Circle)),
        (1, Sign::Shape(Shape::Triangle)),
        (2, Sign::Shape(Shape::Square)),
        (3, Sign::Shape(Shape::Cross)),
        (4, Sign::Text("<A>".to_owned())),
    ];
    picture.arrows = vec![(0, 63), (5, 5)];
    picture.caption = "a < b".to_owned();
    let svg = picture.to_svg();
    let more = |shape| count(&svg, shape) - count(&before, shape);
    assert_eq!(
        ["<circle", "<polygon", "<rect", "<polyline", "<text"].map(more),
        [1, 2, 1, 2, 2],
        "an arrow to its own square is none"
    );
    assert!(svg.contains(">&lt;A&gt;</text>") && svg.contains(">a &lt; b</text>"));
    assert!(svg.contains("viewBox=\"0 0 360 384\""));
}

#[test]
fn print_has_black_white_and_gray_alone() {
    let mut picture = Picture::othello(&game("f5d6"));
    picture.style = Style::Print;
    let svg = picture.to_svg();
    for part in svg.split("fill=\"").skip(1) {
        let color = part.split('"').next().expect("a color");
        let gray = |color: &str| {
            let digits = color.strip_prefix('#')?;
            Some(digits[..2] == digits[2..4] && digits[..2] == digits[4..])
        };
        let known = ["none", "white", "black", "#141618", "#fbfaf6"].contains(&color);
        assert!(known || gray(color) == Some(true), "{color}");
    }
}

#[test]
fn stones_lie_on_crossings_counted_from_below() {
    let mut picture = Picture::new(Ground::Crossings, 15);
    picture.cells[7 * 15 + 7] = Some(Color::Black);
    picture.forbidden = vec![0];
    let svg = picture.to_svg();
    assert_eq!(count(&svg, "<polyline"), 2 * 15 + 2);
    assert_eq!(count(&svg, "r=\"3\""), 5);
    let of = |row: &str| svg.rfind(&format!(">{row}</text>")).expect("a row");
    assert!(of("15") < of("1"), "the highest row is above");
    assert!(
        svg.contains("<circle cx=\"320.0\" cy=\"320.0\" r=\"16.8\""),
        "{svg}"
    );
}
