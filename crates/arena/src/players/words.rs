//! Splitting a command line into words, as a shell would, without a shell.

/// Splits at white space; single and double quotes hold words together, a backslash takes the next character as it is
/// (not within single quotes).
///
/// `None` if a quote is not closed.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        end if end == c => break,
                        '\\' if c == '"' => word.push(chars.next()?),
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next()?),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_split_like_a_shell_does() {
        for (text, words) in [
            ("gtp-rhino  -l 3", vec!["gtp-rhino", "-l", "3"]),
            ("'a b'c \"d 'e'\" f\\ g ''", vec!["a bc", "d 'e'", "f g", ""]),
            ("\"a\\\"b\" ", vec!["a\"b"]),
            ("", vec![]),
        ] {
            assert_eq!(split(text).expect("closed"), words, "{text}");
        }
        assert_eq!(split("'open"), None);
        assert_eq!(split("end\\"), None);
    }
}
