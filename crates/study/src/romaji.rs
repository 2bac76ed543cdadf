//! Japanese words in Latin letters, by the modified Hepburn system: `虎定石` is Tora Jōseki.
//!
//! Kana are spelled by rule; how characters are read stands in a table, which has those of the names of openings.

use std::sync::OnceLock;

/// Characters and their reading, separated by a tab; a reading that starts with `-` is joined to the word before it.
const READINGS: &str = include_str!("../data/readings.tsv");

fn readings() -> &'static [(&'static str, &'static str)] {
    static SORTED: OnceLock<Vec<(&str, &str)>> = OnceLock::new();
    SORTED.get_or_init(|| {
        let lines = READINGS.lines().filter(|line| !line.starts_with('#'));
        let mut table: Vec<_> = lines.filter_map(|line| line.split_once('\t')).collect();
        // The longest word that fits comes first.
        table.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        table
    })
}

/// Returns the text in Latin letters, words apart and with capitals; what is neither kana nor in the table stays as it is.
///
/// ```
/// use outflank_study::romaji::romanize;
/// assert_eq!(romanize("虎定石"), "Tora Jōseki");
/// assert_eq!(romanize("ラッコ定石"), "Rakko Jōseki");
/// assert_eq!(romanize("Tiger"), "Tiger");
/// ```
pub fn romanize(text: &str) -> String {
    let mut out = Words::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((word, reading)) = readings().iter().find(|(word, _)| rest.starts_with(word)) {
            match reading.strip_prefix('-') {
                Some(suffix) => out.suffix(&spell(suffix)),
                None => out.word(&spell(reading)),
            }
            rest = &rest[word.len()..];
            continue;
        }
        let kind = Kind::of(c);
        let same = |next: char| Kind::of(next) == kind || kind.is_kana() && matches!(next, 'ー' | '～');
        // What neither is kana nor has a reading ends where something has one.
        let ends = |(at, next): (usize, char)| {
            let is_read = || readings().iter().any(|(word, _)| rest[at..].starts_with(word));
            (!same(next) || kind == Kind::Other && is_read()).then_some(at)
        };
        let length = rest.char_indices().skip(1).find_map(ends).unwrap_or(rest.len());
        let (run, after) = rest.split_at(length);
        match kind {
            Kind::Hiragana if matches!(run, "の" | "に" | "な") && !out.0.is_empty() => {
                out.particle(&spell(run));
            }
            Kind::Hiragana | Kind::Katakana => out.word(&spell(run)),
            Kind::Middle => out.space(),
            Kind::Other => out.other(run),
        }
        rest = after;
    }
    out.0.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Kinds of characters, of which a word has one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hiragana,
    Katakana,
    /// The dot between words.
    Middle,
    Other,
}

impl Kind {
    const fn of(c: char) -> Self {
        match c {
            'ぁ'..='ゖ' => Self::Hiragana,
            'ァ'..='ヺ' => Self::Katakana,
            '・' => Self::Middle,
            _ => Self::Other,
        }
    }

    const fn is_kana(self) -> bool {
        matches!(self, Self::Hiragana | Self::Katakana)
    }
}

/// A text of words.
#[derive(Default)]
struct Words(String);

impl Words {
    fn space(&mut self) {
        if !self.0.is_empty() && !self.0.ends_with([' ', '(', '-']) {
            self.0.push(' ');
        }
    }

    fn word(&mut self, word: &str) {
        self.space();
        let mut letters = word.chars();
        self.0
            .extend(letters.next().into_iter().flat_map(char::to_uppercase));
        self.0.push_str(letters.as_str());
    }

    fn particle(&mut self, word: &str) {
        self.space();
        self.0.push_str(word);
    }

    fn suffix(&mut self, word: &str) {
        if self.0.is_empty() {
            return self.word(word);
        }
        self.0.push('-');
        self.0.push_str(word);
    }

    fn other(&mut self, text: &str) {
        match text.chars().next() {
            Some(')' | '♯' | '♭') => {}
            _ => self.space(),
        }
        // A slash stands between two names.
        self.0.push_str(&text.replace('/', " / "));
    }
}

/// One kana with the small one that may follow it, and its spelling; katakana are looked up as hiragana.
const DIGRAPHS: [(&str, &str); 24] = [
    ("ふぁ", "fa"),
    ("ふぃ", "fi"),
    ("ふぇ", "fe"),
    ("ふぉ", "fo"),
    ("てぃ", "ti"),
    ("でぃ", "di"),
    ("とぅ", "tu"),
    ("どぅ", "du"),
    ("うぃ", "wi"),
    ("うぇ", "we"),
    ("うぉ", "wo"),
    ("ゔぁ", "va"),
    ("ゔぃ", "vi"),
    ("ゔぇ", "ve"),
    ("ゔぉ", "vo"),
    ("しぇ", "she"),
    ("じぇ", "je"),
    ("ちぇ", "che"),
    ("つぁ", "tsa"),
    ("つぃ", "tsi"),
    ("つぇ", "tse"),
    ("つぉ", "tso"),
    ("でゅ", "dyu"),
    ("てゅ", "tyu"),
];

/// Single kana, in the order of their code points from ぁ.
const KANA: [&str; 84] = [
    "a", "a", "i", "i", "u", "u", "e", "e", "o", "o", "ka", "ga", "ki", "gi", "ku", "gu", "ke", "ge", "ko",
    "go", "sa", "za", "shi", "ji", "su", "zu", "se", "ze", "so", "zo", "ta", "da", "chi", "ji", "", "tsu",
    "zu", "te", "de", "to", "do", "na", "ni", "nu", "ne", "no", "ha", "ba", "pa", "hi", "bi", "pi", "fu",
    "bu", "pu", "he", "be", "pe", "ho", "bo", "po", "ma", "mi", "mu", "me", "mo", "ya", "ya", "yu", "yu",
    "yo", "yo", "ra", "ri", "ru", "re", "ro", "wa", "wa", "i", "e", "o", "n", "vu",
];

/// Returns the spelling of a word of kana, in small letters.
fn spell(kana: &str) -> String {
    let hiragana: Vec<char> = kana.chars().map(as_hiragana).collect();
    let (mut text, mut at, mut doubled) = (String::new(), 0, false);
    while let Some(&c) = hiragana.get(at) {
        let next = hiragana.get(at + 1).copied();
        let pair: String = [c].into_iter().chain(next).collect();
        let digraph = DIGRAPHS.iter().find(|(kana, _)| *kana == pair);
        let (syllable, taken) = match (digraph, c, next) {
            (Some((_, spelling)), ..) => ((*spelling).to_owned(), 2),
            (None, 'っ', _) => {
                doubled = true;
                at += 1;
                continue;
            }
            (None, 'ー' | '～', _) => {
                lengthen(&mut text);
                at += 1;
                continue;
            }
            // きゃ is kya, しゃ is sha.
            (None, _, Some('ゃ' | 'ゅ' | 'ょ')) if single(c).ends_with('i') => {
                let stem = single(c).trim_end_matches('i');
                let glide = if matches!(stem, "sh" | "ch" | "j") {
                    ""
                } else {
                    "y"
                };
                let vowel = single(next.unwrap_or('ゃ')).trim_start_matches('y');
                (format!("{stem}{glide}{vowel}"), 2)
            }
            (None, 'ん', Some(next)) if single(next).starts_with(['a', 'i', 'u', 'e', 'o', 'y']) => {
                ("n'".to_owned(), 1)
            }
            _ => (single(c).to_owned(), 1),
        };
        if doubled {
            // っち is tchi.
            let first = syllable.chars().next().filter(char::is_ascii_alphabetic);
            text.extend(if syllable.starts_with("ch") {
                Some('t')
            } else {
                first
            });
            doubled = false;
        }
        let is_long = matches!(
            (text.chars().next_back(), syllable.as_str()),
            (Some('o' | 'u'), "u") | (Some('o'), "o")
        );
        if is_long {
            lengthen(&mut text);
        } else {
            text.push_str(&syllable);
        }
        at += taken;
    }
    text
}

/// Puts a macron on the vowel at the end.
fn lengthen(text: &mut String) {
    let long = match text.pop() {
        Some('a') => 'ā',
        Some('i') => 'ī',
        Some('u') => 'ū',
        Some('e') => 'ē',
        Some('o') => 'ō',
        Some(other) => other,
        None => return,
    };
    text.push(long);
}

fn single(kana: char) -> &'static str {
    let index = (kana as usize).wrapping_sub('ぁ' as usize);
    KANA.get(index).copied().unwrap_or_default()
}

/// Katakana stand 96 code points behind hiragana.
fn as_hiragana(c: char) -> char {
    match c {
        'ァ'..='ヴ' => char::from_u32(c as u32 - 0x60).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kana_are_spelled_by_the_rules_of_hepburn() {
        for (kana, latin) in [
            ("あいうえお", "aiueo"),
            ("かきくけこ", "kakikukeko"),
            ("さしすせそ", "sashisuseso"),
            ("たちつてと", "tachitsuteto"),
            ("なにぬねの", "naninuneno"),
            ("はひふへほ", "hahifuheho"),
            ("まみむめも", "mamimumemo"),
            ("やゆよ", "yayuyo"),
            ("らりるれろ", "rarirurero"),
            ("わをん", "waon"),
            ("がざだばぱ", "gazadabapa"),
            ("じぢずづ", "jijizuzu"),
            ("きゃしゅちょじゃ", "kyashuchoja"),
            ("りゅう", "ryū"),
            ("じょうせき", "jōseki"),
            ("おおかみ", "ōkami"),
            ("くうき", "kūki"),
            ("けいい", "keii"),
            ("はっちゃく", "hatchaku"),
            ("ざっし", "zasshi"),
            ("きんえん", "kin'en"),
            ("ほんや", "hon'ya"),
            ("スーパーマン", "sūpāman"),
            ("ヴァッカニア", "vakkania"),
            ("ファルコン", "farukon"),
            ("チューペット", "chūpetto"),
            ("ジェリー", "jerī"),
            ("ティ", "ti"),
        ] {
            assert_eq!(spell(kana), latin, "{kana}");
        }
    }

    #[test]
    fn words_are_read_by_the_longest_entry() {
        for (text, latin) in [
            ("虎定石", "Tora Jōseki"),
            ("虎系犬素", "Tora-kei Inu-moto"),
            ("雷定石/ラバーズ・リープ", "Kaminari Jōseki / Rabāzu Rīpu"),
            ("竹田流", "Takeda-ryū"),
            ("もしもピアノに轢かれたら", "Moshimo Piano ni Hikaretara"),
            ("天魔の横うさぎ", "Tenma no Yoko Usagi"),
            ("Sローズ・13e7兜割り型", "S Rōzu 13e7 Kabutowari-gata"),
            ("イエス流(edmead)", "Iesu-ryū (edmead)"),
            ("10手全滅", "10-te Zenmetsu"),
            ("たまプラ♯", "Tama Pura♯"),
            ("たまプラ～ザ", "Tama Purāza"),
            ("幣(ぬさ)", "Nusa (Nusa)"),
            ("Holgersson/家康流", "Holgersson / Ieyasu-ryū"),
        ] {
            assert_eq!(romanize(text), latin, "{text}");
        }
    }
}
