//! The simple transposition table of the textbook methods: it grows to a limit and never confuses two states if
//! asked not to.
//!
//! The engines have a table of their own, built for speed; this one is built to be read. States may be stored as
//! their canonical image under the game's symmetries, so that all images share one entry; the stored move is then
//! the image's move and is mapped back when read.

use outflank_game::GameState;

/// How a state is recognized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// By the game's 64-bit key, kept up to date move by move; two states with one key would be confused.
    #[default]
    Zobrist,
    /// By the whole state: the key only finds the place, and the stored state must equal the one asked for.
    Direct,
}

/// The options of a [`StateTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// How a state is recognized.
    pub keys: Keys,
    /// Whether all symmetric images of a state share one entry.
    pub canonical: bool,
    /// Entries kept at most; beyond, new states replace old ones.
    pub max_entries: usize,
}

impl Default for TableOptions {
    /// Zobrist keys, no symmetry, at most four million entries.
    fn default() -> Self {
        Self {
            keys: Keys::Zobrist,
            canonical: false,
            max_entries: 1 << 22,
        }
    }
}

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

impl Bound {
    /// Returns what `value`, found by a search within `alpha`..`beta`, says.
    pub const fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value >= beta {
            Self::Lower
        } else if value <= alpha {
            Self::Upper
        } else {
            Self::Exact
        }
    }
}

/// What is known about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<M> {
    /// Depth of the search that found it, in placed stones.
    pub depth: u32,
    /// Value for the player to move.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// The best move, or the one that cut off.
    pub best: Option<M>,
}

/// Where a state belongs in a table: computed once per node, used for the probe and the store.
#[derive(Clone, Debug)]
pub struct Place<G: GameState> {
    key: u64,
    /// The state to compare, for direct keys.
    state: Option<G>,
    /// The symmetry that leads to the canonical image, for canonical tables.
    to_canonical: Option<G::Symmetry>,
}

#[derive(Clone, Debug)]
struct Slot<G: GameState> {
    place: Place<G>,
    entry: Entry<G::Move>,
}

/// A transposition table: open addressing, doubled when three quarters full, up to its limit.
#[derive(Clone, Debug)]
pub struct StateTable<G: GameState> {
    options: TableOptions,
    slots: Vec<Option<Slot<G>>>,
    len: usize,
}

impl<G: GameState> StateTable<G> {
    /// Slots of a new table.
    const FIRST_SLOTS: usize = 1 << 10;

    /// Returns an empty table.
    pub fn new(options: TableOptions) -> Self {
        Self {
            options,
            slots: vec![None; Self::FIRST_SLOTS],
            len: 0,
        }
    }

    /// Returns the number of states stored.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether nothing is stored.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns where `game` belongs.
    pub fn place(&self, game: &G) -> Place<G> {
        let direct = |state: &G| (self.options.keys == Keys::Direct).then(|| state.clone());
        if self.options.canonical {
            let (canonical, symmetry) = game.canonical();
            Place {
                key: canonical.key(),
                state: direct(&canonical),
                to_canonical: Some(symmetry),
            }
        } else {
            Place {
                key: game.key(),
                state: direct(game),
                to_canonical: None,
            }
        }
    }

    /// Returns the index of the slot that holds `place`, or of the free slot where it would go.
    fn find(&self, place: &Place<G>) -> usize {
        let mask = self.slots.len() - 1;
        // Weak keys must not make long runs: spread them first.
        let home = (place.key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & mask;
        let mut at = home;
        while let Some(slot) = &self.slots[at] {
            if slot.place.key == place.key && slot.place.state == place.state {
                return at;
            }
            at = (at + 1) & mask;
        }
        at
    }

    /// Returns what is known about `game`, which belongs at `place`; the move is legal in `game` itself.
    pub fn probe(&self, game: &G, place: &Place<G>) -> Option<Entry<G::Move>> {
        let slot = self.slots[self.find(place)].as_ref()?;
        let mut entry = slot.entry;
        if let Some(symmetry) = place.to_canonical {
            let back = game.inverse(symmetry);
            entry.best = entry.best.map(|mv| game.transform_move(mv, back));
        }
        Some(entry)
    }

    /// Stores what is known about `game`; a deeper entry for the same state is kept.
    pub fn store(&mut self, game: &G, place: Place<G>, mut entry: Entry<G::Move>) {
        if let Some(symmetry) = place.to_canonical {
            entry.best = entry.best.map(|mv| game.transform_move(mv, symmetry));
        }
        let at = self.find(&place);
        if let Some(slot) = &mut self.slots[at] {
            if entry.depth >= slot.entry.depth {
                slot.entry = entry;
            }
            return;
        }
        if self.len >= self.options.max_entries {
            // Full: start again rather than break the probe runs. Rare, simple, and sound.
            self.slots.fill(None);
            self.len = 0;
        }
        let at = self.find(&place);
        self.slots[at] = Some(Slot { place, entry });
        self.len += 1;
        if self.len * 4 > self.slots.len() * 3 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let doubled = vec![None; self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, doubled).into_iter().flatten() {
            let at = self.find(&slot.place);
            self.slots[at] = Some(slot);
        }
    }
}
