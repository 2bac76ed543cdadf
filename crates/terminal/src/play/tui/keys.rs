//! What keys do.

use super::{
    screen::{OnScreen, Typed},
    state::{Mode, Prompt, Question, Style, View},
};
use crate::play::{
    command::{self, Command, Seats},
    plain::doing,
    sitting::who_plays,
    table::{Said, Table},
};
use outflank_othello::Game;
use outflank_records::text::fold;
use outflank_search::Level;
use outflank_study::play::{GameSession, Purpose, Turn};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Moves that the hint key asks for: as many as the panel has room for.
const HINT_LINES: usize = 4;
/// Moves that a page key goes.
const PAGE: isize = 10;

/// The state of the screen around the game.
pub(super) struct App<G: OnScreen = Game> {
    pub(super) table: Table<G>,
    mode: Mode,
    cursor: G::Place,
    message: String,
    over: bool,
    repaint: bool,
    /// Whether the game had ended when it was looked at last.
    was_over: bool,
}

/// Keys that come at once are no typing, from so many on: a terminal that does not mark what is pasted.
const PASTED_KEYS: usize = 16;

impl<G: OnScreen> App<G> {
    pub(super) fn new(table: Table<G>) -> Self {
        Self {
            message: who_plays(&table.session),
            cursor: table.session.game().first_place(),
            table,
            mode: Mode::Board(None),
            over: false,
            repaint: false,
            was_over: false,
        }
    }

    /// Returns whether somebody has left.
    pub(super) const fn is_over(&self) -> bool {
        self.over
    }

    /// Returns whether the whole screen is to be painted anew, once.
    pub(super) const fn take_repaint(&mut self) -> bool {
        std::mem::replace(&mut self.repaint, false)
    }

    /// Shows a message until the next one.
    pub(super) fn say(&mut self, text: String) {
        self.message = text;
    }

    /// Does what nobody has to be asked for: the passes of engines that play each other.
    pub(super) fn watch(&mut self) {
        if passes_by_itself(&self.table.session) {
            self.obey(Command::Pass);
        }
        // Who has played a game wants to see how it went.
        let over = self.table.session.turn() == Turn::Over;
        if over && !self.was_over {
            self.table.session.fill_values(true);
        }
        self.was_over = over;
    }

    /// Returns what is said after the terminal has been put back.
    pub(super) fn farewell(&self) -> String {
        let session = &self.table.session;
        let (transcript, status) = (G::transcript(session), G::status(session));
        if transcript.is_empty() {
            status
        } else {
            format!("{transcript}\n{status}")
        }
    }

    /// Returns what is to be drawn.
    pub(super) fn view(&self, style: Style) -> View<'_, G> {
        let now = self.table.now();
        View {
            session: &self.table.session,
            now,
            busy: self
                .table
                .busy_with()
                .map(|(purpose, began)| (purpose, doing(purpose), now.saturating_sub(began))),
            mode: &self.mode,
            cursor: self.cursor,
            message: &self.message,
            style,
        }
    }

    /// Takes keys that came at the same time.
    pub(super) fn keys(&mut self, keys: &[KeyEvent]) {
        let text: Option<String> = keys
            .iter()
            .map(|key| match key.code {
                KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => Some(letter),
                // A line feed comes as Ctrl-J.
                KeyCode::Char('j') | KeyCode::Enter => Some('\n'),
                KeyCode::Tab => Some('\t'),
                _ => None,
            })
            .collect();
        // A program that types a command for somebody ends it by Enter.
        let is_line = |text: &str| {
            let opens_line = matches!(self.mode, Mode::Prompt(..)) || text.starts_with([':', '/']);
            opens_line && text.find('\n').is_none_or(|at| at + 1 == text.len())
        };
        match text {
            Some(text) if keys.len() >= PASTED_KEYS && !is_line(&text) => self.paste(&text),
            _ => keys.iter().for_each(|&key| self.key(key)),
        }
    }

    /// Takes a text that was pasted: it is put where text is asked for, or else offered for loading; nothing in it acts.
    pub(super) fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let clean = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control();
        let text: String = text.trim_matches('\n').chars().filter(clean).collect();
        self.mode = match std::mem::replace(&mut self.mode, Mode::Board(None)) {
            Mode::Prompt(Prompt::Load, before) => Mode::Prompt(Prompt::Load, before + &text),
            // The name of a file and a command are of one line.
            Mode::Prompt(prompt, before) => Mode::Prompt(prompt, before + &text.replace('\n', " ")),
            Mode::Confirm(question) => {
                self.say("that was pasted; answer with y or n".to_owned());
                Mode::Confirm(question)
            }
            Mode::Board(_) | Mode::Help => {
                self.say("pasted: Enter loads it, Esc drops it".to_owned());
                Mode::Prompt(Prompt::Load, text)
            }
        };
    }

    /// Takes a key.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, control) {
            (KeyCode::Char('c'), true) => {
                self.over = true;
                return;
            }
            (KeyCode::Char('q'), true) => {
                self.mode = Mode::Board(None);
                self.obey(Command::Quit);
                return;
            }
            (KeyCode::Char('l'), true) => {
                self.repaint = true;
                return;
            }
            _ => {}
        }
        match std::mem::replace(&mut self.mode, Mode::Board(None)) {
            Mode::Board(typed) => self.board_key(key.code, control, typed.as_deref().unwrap_or_default()),
            Mode::Prompt(prompt, text) => self.prompt_key(key.code, control, prompt, text),
            Mode::Confirm(question) => self.confirm_key(key.code, question),
            Mode::Help => {}
        }
    }

    fn board_key(&mut self, code: KeyCode, control: bool, typed: &str) {
        // What an input method for Japanese gives is a key all the same.
        let code = match code {
            KeyCode::Char(letter) => KeyCode::Char(fold(letter)),
            code => code,
        };
        if let (KeyCode::Char(letter), false) = (code, control) {
            match self
                .table
                .session
                .game()
                .typed(typed, letter.to_ascii_lowercase())
            {
                Typed::Place(place) => {
                    self.place(place);
                    return;
                }
                Typed::Part(text) => {
                    self.mode = Mode::Board(Some(text));
                    return;
                }
                Typed::Nothing => {}
            }
        }
        if let (KeyCode::Enter, Ok(place)) = (code, self.table.session.game().place_of(typed)) {
            self.place(place);
            return;
        }
        match code {
            KeyCode::Char('z') if control => self.obey(Command::Undo),
            KeyCode::Char('y') if control => self.obey(Command::Redo),
            KeyCode::Char('g') if control => self.obey(Command::Go),
            // The same with Ctrl, for boards on which the letter is a column.
            KeyCode::Char(letter) if control && !"nosvw".contains(letter) => {}
            KeyCode::Backspace if !typed.is_empty() => {}
            KeyCode::Esc => self.escape(typed),
            KeyCode::Left => self.step(-1, 0),
            KeyCode::Right => self.step(1, 0),
            KeyCode::Up => self.step(0, -1),
            KeyCode::Down => self.step(0, 1),
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(),
            KeyCode::Char('p') => self.obey(Command::Pass),
            KeyCode::Tab | KeyCode::Char('i') => self.hint(),
            KeyCode::Char('u') | KeyCode::Backspace => self.obey(Command::Undo),
            KeyCode::Char('r') => self.obey(Command::Redo),
            KeyCode::Home => self.obey(Command::Goto(0)),
            KeyCode::End => self.obey(Command::Goto(usize::MAX)),
            KeyCode::PageUp => self.page(-PAGE),
            KeyCode::PageDown => self.page(PAGE),
            KeyCode::Char(',' | '<') => self.page(-1),
            KeyCode::Char('.' | '>') => self.page(1),
            KeyCode::Char('m') => self.obey(Command::Go),
            KeyCode::Char('+' | '=') => self.change_level(1),
            KeyCode::Char('-') => self.change_level(-1),
            KeyCode::Char('w') => {
                let seats = Seats::after(self.table.session.options().seats);
                self.obey(Command::Color(seats));
            }
            KeyCode::Char('v') => self.value_all(),
            KeyCode::Char('s') => self.mode = Mode::Prompt(Prompt::Save, self.table.file_name()),
            KeyCode::Char('o') => self.mode = Mode::Prompt(Prompt::Load, String::new()),
            KeyCode::Char(':' | '/') => self.mode = Mode::Prompt(Prompt::Command, String::new()),
            KeyCode::Char('n') if self.table.is_unsaved() => self.mode = Mode::Confirm(Question::New),
            KeyCode::Char('n') => self.obey(Command::New),
            KeyCode::Char('q') => self.obey(Command::Quit),
            KeyCode::F(1) | KeyCode::Char('?') => self.mode = Mode::Help,
            _ => {}
        }
    }

    /// Plays at a place that was named.
    fn place(&mut self, place: G::Place) {
        self.cursor = place;
        self.obey(Command::Place(place));
    }

    /// Leaves what is going on, the innermost first: a half-typed place, the engine's thought, the hint.
    fn escape(&mut self, typed: &str) {
        if !typed.is_empty() {
            return;
        }
        match self.table.busy_with() {
            Some((Purpose::Move | Purpose::Hint { .. }, _)) => self.table.hurry(),
            _ => self.table.session.drop_hint(),
        }
    }

    fn step(&mut self, right: isize, down: isize) {
        self.cursor = self.table.session.game().step(self.cursor, right, down);
    }

    /// Goes `by` moves through the game, as far as it goes.
    fn page(&mut self, by: isize) {
        let session = &self.table.session;
        let (at, ahead) = (session.moves().len(), session.moves_ahead());
        let to = at.saturating_add_signed(by).min(at + ahead);
        self.obey(Command::Goto(to));
    }

    fn enter(&mut self) {
        self.obey(match self.table.session.turn() {
            Turn::Pass(_) => Command::Pass,
            _ => Command::Place(self.cursor),
        });
    }

    fn hint(&mut self) {
        if self.table.session.hint().is_some() {
            self.table.session.drop_hint();
        } else {
            self.obey(Command::Hint(HINT_LINES));
        }
    }

    fn change_level(&mut self, by: i64) {
        let level = self.table.session.options().level;
        let step = |number: u32| u32::try_from(i64::from(number) + by).ok();
        let next = match level.as_human() {
            Some(number) => step(number).and_then(Level::human),
            None => step(level.number()).and_then(|number| Level::new(number).ok()),
        };
        if let Some(level) = next {
            self.obey(Command::Level(level));
        }
    }

    /// Has every position valued and every move judged; again, while that goes on, ends it.
    fn value_all(&mut self) {
        let session = &mut self.table.session;
        let all_known = G::all_is_known(session);
        let stop = session.fills_values() && !all_known;
        session.fill_values(!stop);
        self.say(
            if all_known {
                G::VALUED[0]
            } else if stop {
                "valuing has stopped; v goes on with it"
            } else {
                G::VALUED[1]
            }
            .to_owned(),
        );
    }

    fn prompt_key(&mut self, code: KeyCode, control: bool, prompt: Prompt, mut text: String) {
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter => {
                self.submit(prompt, text.trim());
                return;
            }
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char('u') if control => text.clear(),
            KeyCode::Char(letter) if !control && !letter.is_control() => text.push(letter),
            _ => {}
        }
        self.mode = Mode::Prompt(prompt, text);
    }

    fn submit(&mut self, prompt: Prompt, text: &str) {
        if text.is_empty() {
            return;
        }
        match prompt {
            Prompt::Save if !self.table.may_write(text) => {
                self.mode = Mode::Confirm(Question::Overwrite(text.to_owned()));
            }
            Prompt::Save => self.save(text.to_owned(), false),
            Prompt::Load | Prompt::Command => {
                let parsed = match prompt {
                    // Several lines are no name with a number after it.
                    Prompt::Load if text.contains('\n') => Ok(Some(Command::Load(text.to_owned(), 1))),
                    Prompt::Load => self.parse(&format!("load {text}")),
                    _ => self.parse(text),
                };
                match parsed {
                    Ok(Some(Command::Load(what, number))) if self.table.is_unsaved() => {
                        self.mode = Mode::Confirm(Question::Load(what, number));
                    }
                    Ok(Some(Command::New)) if self.table.is_unsaved() => {
                        self.mode = Mode::Confirm(Question::New);
                    }
                    Ok(Some(command)) => self.obey(command),
                    Ok(None) => {}
                    Err(message) => self.say(message),
                }
            }
        }
    }

    fn parse(&self, text: &str) -> Result<Option<Command<G::Place>>, String> {
        command::parse(text, |word| self.table.session.game().place_of(word))
    }

    fn save(&mut self, path: String, overwrite: bool) {
        self.obey(Command::Save { path, overwrite });
    }

    fn confirm_key(&mut self, code: KeyCode, question: Question) {
        match (code, question) {
            (KeyCode::Char('y' | 'Y'), Question::Quit) => self.over = true,
            (KeyCode::Char('y' | 'Y'), Question::New) => self.obey(Command::New),
            (KeyCode::Char('y' | 'Y'), Question::Load(what, number)) => {
                self.obey(Command::Load(what, number));
            }
            (KeyCode::Char('y' | 'Y'), Question::Overwrite(path)) => self.save(path, true),
            (KeyCode::Char('n' | 'N') | KeyCode::Esc | KeyCode::Enter, _) => {}
            // Anything else is no answer.
            (_, question) => self.mode = Mode::Confirm(question),
        }
    }

    /// Carries out a command, and says what came of it.
    fn obey(&mut self, command: Command<G::Place>) {
        let loads = matches!(command, Command::Load(..));
        match self.table.obey(command) {
            Ok(Said::Nothing | Said::Board | Said::Hint) => self.message.clear(),
            Ok(Said::Line(text)) => self.say(text),
            Ok(Said::Moves) => self.say(G::transcript(&self.table.session)),
            Ok(Said::Graph) => self.value_all(),
            Ok(Said::Help(_)) => self.mode = Mode::Help,
            Ok(Said::Quit) if self.table.is_unsaved() => self.mode = Mode::Confirm(Question::Quit),
            Ok(Said::Quit) => self.over = true,
            Err(error) => self.say(crate::output::reasons(&error)),
        }
        if loads {
            // The board may be smaller than the one before it.
            self.cursor = self.table.session.game().step(self.cursor, 0, 0);
            self.table.session.fill_values(true);
        }
    }
}

/// Returns whether a pass is nobody's business: only engines play.
fn passes_by_itself<G: OnScreen>(session: &GameSession<G>) -> bool {
    matches!(session.turn(), Turn::Pass(_)) && !session.has_person()
}
