//! From bytes to lines, whatever ends a line and whatever the system puts before the first one.

use outflank_records::text::without_mark;

/// Bytes of a line beyond which it is cut in two.
const MOST_BYTES: usize = 1 << 20;

/// Cuts what the other side writes into lines, without their ends.
///
/// A line ends with LF, CR LF or CR, and is complete as soon as the first byte of its end has come. A byte order mark
/// before the first line is left out; bytes that are no UTF-8 become replacement characters.
///
/// # Examples
///
/// ```
/// use outflank_protocol::Lines;
/// let mut lines = Lines::default();
/// assert_eq!(lines.feed("\u{feff}ugi\r\nisre".as_bytes()), ["ugi"]);
/// assert_eq!(lines.feed(b"ady\rstop\n\nqu"), ["isready", "stop", ""]);
/// assert_eq!(lines.finish(), Some("qu".to_owned()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lines {
    partial: Vec<u8>,
    /// The last byte was a CR, which a LF may complete.
    after_return: bool,
    begun: bool,
}

impl Lines {
    /// Takes the next bytes and returns the lines that are complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in bytes {
            let completes = std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n';
            match byte {
                b'\n' if completes => {}
                b'\n' | b'\r' => lines.push(self.take()),
                _ => {
                    if self.partial.len() >= MOST_BYTES {
                        lines.push(self.take());
                    }
                    self.partial.push(byte);
                }
            }
        }
        lines
    }

    /// Returns the last line if no end of a line came after it.
    pub fn finish(&mut self) -> Option<String> {
        (!self.partial.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.partial);
        let text = if std::mem::replace(&mut self.begun, true) {
            &text
        } else {
            without_mark(&text)
        };
        let line = text.to_owned();
        self.partial.clear();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_line_ends_one_line() {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc"] {
            for cut in 0..=text.len() {
                let (before, after) = text.as_bytes().split_at(cut);
                let mut lines = Lines::default();
                let mut found = lines.feed(before);
                found.extend(lines.feed(after));
                found.extend(lines.finish());
                assert_eq!(found, ["a", "b", "", "c"], "{text:?} cut at {cut}");
                assert_eq!(lines.finish(), None);
            }
        }
    }

    #[test]
    fn only_the_first_line_loses_a_mark_and_no_line_grows_without_bound() {
        let mut lines = Lines::default();
        assert_eq!(
            lines.feed("\u{feff}a\n\u{feff}b\n".as_bytes()),
            ["a", "\u{feff}b"]
        );
        let long = vec![b'x'; MOST_BYTES + 1];
        assert_eq!(lines.feed(&long).len(), 1);
        assert_eq!(lines.finish(), Some("x".to_owned()));
        assert_eq!(lines.feed(b"\xff\n"), ["\u{fffd}"]);
    }
}
