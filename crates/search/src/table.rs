//! The storage of transposition tables: lock-free, untearable, with ageing, for any kind of entry.
//!
//! An entry is packed into three words. Each slot carries a fourth word, a sequence lock: a writer makes it odd,
//! writes, and makes it even again; a reader that finds it odd, or changed after reading, treats the slot as empty.
//! Nobody ever waits, so a search cannot be blocked by another, and a read can never mix two writes.
//! The fourth word also holds the generation: entries of earlier generations are invisible, and a new one costs
//! nothing, so that every search can start from a table that is empty as far as it can tell (reproducible node
//! counts) without clearing memory.
//!
//! Two neighboring slots share a cache line; a key may live in either. The newcomer replaces the slot that is empty,
//! of an earlier generation, or worth less, in this order.

use bytemuck::allocation::try_zeroed_slice_box;
use std::{
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicU32, AtomicU64, Ordering, fence},
};

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "the instruction takes an address")]
#[inline(always)]
fn prefetch(word: &AtomicU64) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: fetching ahead reads and writes nothing that the program can see, and is allowed for every address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
const fn prefetch(_: &AtomicU64) {}

/// What a table stores: anything that packs into three words and can tell whether it belongs to a key.
pub trait TableEntry: Copy {
    /// What an entry is looked up by; the whole of it is compared, so that a hit is never a hash collision.
    type Key: Copy;

    /// Returns the entry as three words.
    fn pack(self) -> [u64; 3];

    /// Returns the entry that [`TableEntry::pack`] made these words of.
    fn unpack(words: [u64; 3]) -> Self;

    /// Returns whether this entry belongs to `key`, comparing all of it.
    fn is_for(&self, key: Self::Key) -> bool;

    /// Returns how much the entry is worth keeping; the slot worth less is replaced.
    fn worth(&self) -> u32;
}

/// The memory of a table cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table of {bytes} bytes does not fit the memory; ask for less (--hash)")]
pub struct TableError {
    /// The size asked for.
    pub bytes: usize,
}

/// Words of a cache line of 64 bytes: two slots.
const LINE: usize = 8;

/// A slot: a sequence lock with the generation, and the three words of an entry; half a cache line.
#[derive(Clone, Copy)]
struct Slot<'a> {
    /// Bits 0–31: sequence number, odd while somebody writes. Bits 32–63: generation, 0 for never written.
    lock: &'a AtomicU64,
    words: [&'a AtomicU64; 3],
}

const SEQUENCE: u64 = 0xFFFF_FFFF;

impl Slot<'_> {
    /// Returns the entry if it is of this generation and nobody is writing.
    #[inline(always)]
    fn read<T: TableEntry>(self, generation: u32) -> Option<T> {
        let before = self.lock.load(Ordering::Acquire);
        if before >> 32 != u64::from(generation) || before & 1 != 0 {
            return None;
        }
        let word = |i: usize| self.words[i].load(Ordering::Relaxed);
        let words = [word(0), word(1), word(2)];
        fence(Ordering::Acquire);
        (self.lock.load(Ordering::Relaxed) == before).then(|| T::unpack(words))
    }

    /// Writes `entry` if the slot is still as it was when `seen` was read; does nothing if somebody else was faster.
    #[inline]
    fn write<T: TableEntry>(self, seen: u64, generation: u32, entry: T) {
        if seen & 1 != 0 {
            return;
        }
        if self
            .lock
            .compare_exchange(seen, seen | 1, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            return;
        }
        fence(Ordering::Release);
        for (to, word) in self.words.into_iter().zip(entry.pack()) {
            to.store(word, Ordering::Relaxed);
        }
        let sequence = (seen + 2) & SEQUENCE;
        self.lock
            .store(u64::from(generation) << 32 | sequence, Ordering::Release);
    }
}

/// A transposition table shared between threads.
///
/// # Examples
///
/// ```
/// use outflank_search::{Table, TableEntry};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Entry { key: u64, value: u64 }
///
/// impl TableEntry for Entry {
///     type Key = u64;
///     fn pack(self) -> [u64; 3] { [self.key, self.value, 0] }
///     fn unpack(words: [u64; 3]) -> Self { Self { key: words[0], value: words[1] } }
///     fn is_for(&self, key: u64) -> bool { self.key == key }
///     fn worth(&self) -> u32 { 0 }
/// }
///
/// let table = Table::<Entry>::new(64 << 10)?;
/// let hash = 7_u64.wrapping_mul(0x9E37_79B9_7F4A_7C15);
/// table.update(hash, 7, |old| { assert_eq!(old, None); Entry { key: 7, value: 42 } });
/// assert_eq!(table.probe(hash, 7), Some(Entry { key: 7, value: 42 }));
/// table.new_generation();
/// assert_eq!(table.probe(hash, 7), None);
/// # Ok::<(), outflank_search::TableError>(())
/// ```
pub struct Table<T> {
    words: Box<[AtomicU64]>,
    /// Words before the first one that begins a cache line.
    first: usize,
    /// Number of cache lines less one; the number is a power of two.
    mask: usize,
    generation: AtomicU32,
    entry: PhantomData<T>,
}

impl<T: TableEntry> Table<T> {
    /// Returns an empty table of the greatest power of two that fits `bytes`, at least 64 bytes.
    ///
    /// # Errors
    ///
    /// Returns [`TableError`] if the memory cannot be had.
    pub fn new(bytes: usize) -> Result<Self, TableError> {
        let lines = 1_usize << (bytes / (LINE * size_of::<u64>())).max(1).ilog2();
        // The system hands out pages of zeros when they are touched, so that a short search waits for few of them: but
        // only where they need not begin at a multiple of more than two words.
        let words: Box<[AtomicU64]> =
            try_zeroed_slice_box(lines * LINE + LINE - 1).map_err(|()| TableError { bytes })?;
        Ok(Self {
            first: words.as_ptr().align_offset(LINE * size_of::<u64>()),
            words,
            mask: lines - 1,
            generation: AtomicU32::new(1),
            entry: PhantomData,
        })
    }

    /// Returns the number of entries that fit.
    pub const fn capacity(&self) -> usize {
        2 * (self.mask + 1)
    }

    /// Makes every entry invisible and the first to be replaced; takes no time but once in 2³² calls.
    ///
    /// Not while a search uses the table: what it stores afterwards would still be visible.
    pub fn new_generation(&self) {
        if self.generation() == u32::MAX {
            self.clear();
        }
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Erases every entry.
    pub fn clear(&self) {
        for slot in (0..=self.mask).flat_map(|line| self.line(line)) {
            slot.lock.store(0, Ordering::Relaxed);
        }
        self.generation.store(1, Ordering::Relaxed);
    }

    #[inline(always)]
    fn generation(&self) -> u32 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Returns the slots of a cache line.
    #[inline(always)]
    fn line(&self, number: usize) -> [Slot<'_>; 2] {
        let words = self.words[self.first + LINE * number..].first_chunk();
        let [lock, a, b, c, second_lock, d, e, f]: &[AtomicU64; LINE] =
            words.expect("the line is in the table");
        [
            Slot {
                lock,
                words: [a, b, c],
            },
            Slot {
                lock: second_lock,
                words: [d, e, f],
            },
        ]
    }

    #[inline(always)]
    const fn number(&self, hash: u64) -> usize {
        (hash >> 20) as usize & self.mask
    }

    #[inline(always)]
    fn pair(&self, hash: u64) -> [Slot<'_>; 2] {
        self.line(self.number(hash))
    }

    /// Has the processor fetch what a probe for this hash reads, so that one soon after need not wait for it; nothing else
    /// changes. Does nothing on processors for which there is no such instruction in the standard library.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        if let Some(word) = self.words.get(self.first + LINE * self.number(hash)) {
            prefetch(word);
        }
    }

    /// Returns the entry of `key`, if it is there.
    #[inline]
    pub fn probe(&self, hash: u64, key: T::Key) -> Option<T> {
        self.pair(hash).into_iter().find_map(|slot| {
            slot.read::<T>(self.generation())
                .filter(|entry| entry.is_for(key))
        })
    }

    /// Stores what `make` returns under `key`; `make` gets the entry that is there for `key`, to merge with it.
    ///
    /// If another thread writes to the same slot at this moment, the entry is dropped.
    #[inline]
    pub fn update(&self, hash: u64, key: T::Key, make: impl FnOnce(Option<T>) -> T) {
        let mut victim = 0;
        let mut least = u32::MAX;
        let mut old = None;
        let pair = self.pair(hash);
        let seen = [
            pair[0].lock.load(Ordering::Acquire),
            pair[1].lock.load(Ordering::Acquire),
        ];
        for (i, slot) in pair.iter().enumerate() {
            let found = slot.read::<T>(self.generation());
            if let Some(entry) = found.filter(|entry| entry.is_for(key)) {
                victim = i;
                old = Some(entry);
                break;
            }
            let worth = found.map_or(0, |entry| entry.worth().saturating_add(1));
            if worth < least {
                least = worth;
                victim = i;
            }
        }
        pair[victim].write(seen[victim], self.generation(), make(old));
    }

    /// Returns the share of slots that hold an entry of this generation, in thousandths, from a sample.
    pub fn permille_full(&self) -> usize {
        let lines = (self.mask + 1).min(512);
        let used = (0..lines)
            .flat_map(|line| self.line(line))
            .filter(|slot| slot.lock.load(Ordering::Relaxed) >> 32 == u64::from(self.generation()))
            .count();
        used * 500 / lines
    }
}

impl<T: TableEntry> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("slots", &self.capacity())
            .field("generation", &self.generation())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry whose three words must always belong together.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Linked {
        key: u64,
        value: u64,
    }

    impl TableEntry for Linked {
        type Key = u64;
        fn pack(self) -> [u64; 3] {
            [self.key, self.value, self.key.wrapping_mul(3) ^ self.value]
        }
        fn unpack(words: [u64; 3]) -> Self {
            assert_eq!(words[2], words[0].wrapping_mul(3) ^ words[1], "torn entry");
            Self {
                key: words[0],
                value: words[1],
            }
        }
        fn is_for(&self, key: u64) -> bool {
            self.key == key
        }
        fn worth(&self) -> u32 {
            self.value as u32
        }
    }

    fn set(table: &Table<Linked>, hash: u64, key: u64, value: u64) {
        table.update(hash, key, |_| Linked { key, value });
    }

    #[test]
    fn keeps_the_worthier_of_three() {
        let table = Table::new(64).expect("64 bytes");
        assert_eq!(table.capacity(), 2);
        for (key, value) in [(1, 10), (2, 30), (3, 20)] {
            set(&table, 0, key, value);
        }
        // Nothing that can be seen.
        for hash in [0, 1 << 20, u64::MAX] {
            table.prefetch(hash);
        }
        assert_eq!(table.probe(0, 1), None);
        assert_eq!(table.probe(0, 2).map(|e| e.value), Some(30));
        assert_eq!(table.probe(0, 3).map(|e| e.value), Some(20));
        table.update(0, 2, |old| Linked {
            key: 2,
            value: old.expect("there").value + 1,
        });
        assert_eq!(table.probe(0, 2).map(|e| e.value), Some(31));
        table.new_generation();
        assert_eq!(table.probe(0, 2), None);
        set(&table, 0, 4, 0);
        set(&table, 0, 5, 0);
        assert_eq!(table.probe(0, 4).map(|e| e.key), Some(4));
        assert_eq!(table.probe(0, 5).map(|e| e.key), Some(5));
        table.clear();
        assert_eq!(table.probe(0, 4), None);
        set(&table, 0, 4, 0);
        table.new_generation();
        assert_eq!(table.probe(0, 4), None);
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        let error = Table::<Linked>::new(usize::MAX).expect_err("too much");
        assert!(error.to_string().contains("--hash"), "{error}");
    }

    #[test]
    fn readers_never_see_a_torn_entry() {
        let table = Table::<Linked>::new(256).expect("256 bytes");
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut x = thread + 1;
                    for _ in 0..200_000 {
                        x = x
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        let key = x >> 60;
                        if let Some(entry) = table.probe(key << 21, key) {
                            assert_eq!(entry.key, key);
                        }
                        set(table, key << 21, key, x >> 8);
                    }
                });
            }
        });
    }
}
