//! What an engine is made with, and what a level means to it.

use outflank_search::Level;

/// How an [`Engine`](crate::Engine) works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineConfig {
    /// Memory of the transposition table in bytes.
    pub table_bytes: usize,
    /// Threads of the main search, at least 1. With one, results under node and depth limits are reproducible.
    pub threads: usize,
    /// log₂ of the entries remembered by the search for forced wins (40 bytes each).
    pub threat_bits: u32,
    /// Positions that one look for a win by fours may cost inside the main search.
    pub vcf_nodes: u64,
    /// Share of the time for finding and proving a win by threats before the main search.
    pub vct_share: f64,
    /// Most positions of that search.
    pub vct_nodes: u64,
    /// Positions of the search for the other side's win by threats after the move that looks best; 0 for none.
    pub vet_nodes: u64,
}

impl Default for EngineConfig {
    /// One thread, 64 MiB.
    fn default() -> Self {
        Self {
            table_bytes: 64 << 20,
            threads: 1,
            threat_bits: 18,
            vcf_nodes: 120,
            vct_share: 0.15,
            vct_nodes: 200_000,
            vet_nodes: 4_000,
        }
    }
}

/// Returns how many positions a search of `level` may enter: 141 at level 1, twice as many every two levels.
pub fn level_nodes(level: Level) -> u64 {
    (100.0 * 2_f64.powf(f64::from(level.number()) / 2.0)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_search_more() {
        let nodes: Vec<u64> = Level::all().map(level_nodes).collect();
        assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((nodes[0], nodes[19]), (141, 102_400));
    }
}
