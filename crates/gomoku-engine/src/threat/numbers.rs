//! Proof and disproof numbers, and the table of those met.

/// No proof (or disproof) is possible.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// Proof and disproof number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

pub(super) const PROVED: Pair = Pair {
    proof: 0,
    disproof: INFINITE,
};
pub(super) const DISPROVED: Pair = Pair {
    proof: INFINITE,
    disproof: 0,
};

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    proof: u32,
    disproof: u32,
}

/// The numbers of positions met, one entry a slot, newest wins; a finished node gives way only to another.
#[derive(Debug)]
pub(super) struct Numbers {
    entries: Vec<Entry>,
    bits: u32,
}

impl Numbers {
    /// Returns an empty table of 2^`bits` entries, which takes no memory before its first use.
    pub(super) fn new(bits: u32) -> Self {
        Self {
            entries: Vec::new(),
            bits,
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    pub(super) fn prepare(&mut self) {
        if self.entries.is_empty() {
            self.entries = vec![Entry::default(); 1 << self.bits];
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Pair> {
        let at = key as usize & (self.entries.len() - 1);
        let found = [at, at ^ 1]
            .into_iter()
            .map(|at| self.entries[at])
            .find(|entry| entry.key == key)?;
        Some(Pair {
            proof: found.proof,
            disproof: found.disproof,
        })
    }

    pub(super) fn put(&mut self, key: u64, pair: Pair) {
        let at = key as usize & (self.entries.len() - 1);
        let is_finished = |entry: &Entry| entry.proof == 0 || entry.disproof == 0;
        let slot = if self.entries[at].key == key {
            at
        } else if self.entries[at ^ 1].key == key || is_finished(&self.entries[at]) {
            at ^ 1
        } else {
            at
        };
        self.entries[slot] = Entry {
            key,
            proof: pair.proof,
            disproof: pair.disproof,
        };
    }
}

impl Pair {
    pub(super) fn proof(self) -> u32 {
        self.proof
    }

    pub(super) fn disproof(self) -> u32 {
        self.disproof
    }
}
